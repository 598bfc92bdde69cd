import { compareMinors, gateAt, GATE_NAMES, isGateName, parseMinor, Target } from 'cdk8s-dra/model';
import type { GateName, Minor } from 'cdk8s-dra/model';

import { isApiError } from '../kube/api-error.js';
import type { KubeClient } from '../kube/kube-client.js';

/** What a cluster says of itself. */
export interface ClusterFacts {
  /** As the server prints it, `v1.36.3`. */
  readonly version: string;
  /** The minor whose behaviour the server shows; differs from `version` under `--emulated-version`. */
  readonly minor: Minor;
  /** The minor of the program, whose fields the server knows. */
  readonly programMinor: Minor;
  /** Every feature gate that the API server reports; undefined when its metrics may not be read. */
  readonly gates?: ReadonlyMap<string, boolean>;
  /** Gates of the model by that report, or by default. Other components are assumed to agree with the API server. */
  readonly target: Target;
}

/** Why the suite cannot judge this cluster: what is wrong and the way out. */
export class UnknownClusterError extends Error {
  public override readonly name = 'UnknownClusterError';
}

export async function readClusterFacts(client: KubeClient): Promise<ClusterFacts> {
  const { body } = await client.raw({ method: 'GET', path: '/version' });
  const { gitVersion = '', emulationMajor, emulationMinor } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly gitVersion?: string; readonly emulationMajor?: string; readonly emulationMinor?: string;
  };
  const programMinor = minorOf(gitVersion);
  const minor = emulationMajor === undefined || emulationMinor === undefined ? programMinor : minorOf(`${emulationMajor}.${emulationMinor.replace(/\+$/, '')}`);
  const gates = await readGates(client);
  return { version: gitVersion, minor, programMinor, ...(gates === undefined ? {} : { gates }), target: targetOf(minor, gates) };
}

function minorOf(version: string): Minor {
  const minor = parseMinor(version);
  if (typeof minor === 'string') return minor;
  throw new UnknownClusterError(`the server says it is Kubernetes '${version}', which ${minor.rule.replace(/^must be/, 'is not')}. ${minor.help}`);
}

/** The lines `kubernetes_feature_enabled{name="DRAAdminAccess",stage=""} 1` of the metrics. */
async function readGates(client: KubeClient): Promise<ReadonlyMap<string, boolean> | undefined> {
  let text: string;
  try {
    const { body } = await client.raw({ method: 'GET', path: '/metrics', accept: 'text/plain' });
    text = typeof body === 'string' ? body : '';
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
  const gates = new Map<string, boolean>();
  for (const [, name = '', value] of text.matchAll(/^kubernetes_feature_enabled\{name="([^"]+)"[^}]*\} ([01])$/gm)) gates.set(name, value === '1');
  return gates.size === 0 ? undefined : gates;
}

/** Only what differs from the defaults is named: a locked gate cannot be chosen. */
function targetOf(minor: Minor, gates: ReadonlyMap<string, boolean> = new Map()): Target {
  const featureGates: Partial<Record<GateName, boolean>> = {};
  for (const name of GATE_NAMES) {
    const value = gates.get(name);
    const state = gateAt(name, minor);
    if (value !== undefined && state !== undefined && value !== state.default) featureGates[name] = value;
  }
  return Target.of(minor, { featureGates: featureGates as Record<string, boolean> });
}

/**
 * Whether the server takes its verdicts and words from the validation tags of the types, as it does from 1.37 on. In 1.35 a gate does it too,
 * off by default; 1.34 has no tags for these types yet, and in 1.36 the gate has no effect any more.
 */
export function validatesByDeclaration({ programMinor, gates }: ClusterFacts): boolean {
  return compareMinors(programMinor, '1.37') >= 0 || (programMinor === '1.35' && gates?.get('DeclarativeValidationTakeover') === true);
}

/** Gates of Dynamic Resource Allocation that a server reports and the model does not know. */
export function unknownGates(gates: ReadonlyMap<string, boolean>): readonly string[] {
  return [...gates.keys()].filter((name) => name.startsWith('DRA') && !isGateName(name)).sort();
}
