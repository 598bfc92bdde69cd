import { hostname } from 'node:os';

import { findFailure, Target } from 'cdk8s-dra/model';

import { dryRunText } from './dry-run-text.js';
import { NodeFailure } from '../../devices/node-failure.js';
import { exactJson } from '../../kube/exact-json.js';
import { NODES } from '../../kube/resource.js';
import { ConfigurationError, readConfiguration } from '../../node/config/read-configuration.js';
import { dryRun } from '../../node/dry-run.js';
import type { DryRun } from '../../node/dry-run.js';
import { probeAbilities } from '../../node/slices/probe-abilities.js';
import type { ServerAbilities } from '../../node/slices/server-abilities.js';
import { withCluster } from '../collect/read-cluster.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { Io } from '../io.js';
import type { NodeOptions } from '../node.js';

/** Prints what an agent would do here. */
export async function runDryRun(options: NodeOptions & { readonly config: string }, io: Io): Promise<ExitCode> {
  const { signal } = new AbortController();
  const configuration = asUsage(() => readConfiguration(options.config));
  const nodeName = options.node ?? process.env.NODE_NAME ?? hostname().toLowerCase();
  const facts = options.kubeconfig === undefined && options.context === undefined
    ? { abilities: abilitiesOf(options), where: `Kubernetes ${targetOf(options).minor}` }
    : await clusterFacts(options, configuration.driverName, nodeName, signal);
  const found = await lookedAt(dryRun({ configuration, nodeName, podUid: process.env.POD_UID, ...facts, signal }), configuration.hostRoot);
  io.out(options.output === 'json' ? `${JSON.stringify(JSON.parse(exactJson(found)), null, 2)}\n` : dryRunText(found, facts.where));
  return isWhole(found) ? 0 : 1;
}

/** Hardware that cannot be looked at is what surrounds us: often a configuration of a pod, tried on the node itself. */
async function lookedAt(work: Promise<DryRun>, hostRoot: string): Promise<DryRun> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    throw new UsageError(`${error.code} ${error.message} hostRoot is ${hostRoot}: in a pod of NodeAgent that is where the host is mounted, on the node itself write /.`);
  }
}

interface Facts {
  readonly abilities: ServerAbilities;
  readonly node?: { readonly metadata?: object };
  readonly where: string;
}

function clusterFacts(options: NodeOptions, driver: string, nodeName: string, signal: AbortSignal): Promise<Facts> {
  return withCluster(options, async (client) => {
    const node = await client.find(NODES, { name: nodeName }, { signal });
    if (node === undefined) throw new UsageError(`There is no Node '${nodeName}' at ${client.connection.server}. Name one with --node.`);
    return { node, abilities: await probeAbilities(client, driver, nodeName, signal), where: client.connection.server };
  });
}

function targetOf({ kubernetes, featureGates = '' }: NodeOptions): Target {
  return asUsage(() => Target.parse(kubernetes, featureGates));
}

/** What a server of a version keeps of a slice. */
function abilitiesOf(options: NodeOptions): ServerAbilities {
  const target = targetOf(options);
  const has = (gate: string) => target.enabled(gate, 'kube-apiserver');
  return {
    taints: has('DRADeviceTaints'),
    counters: !has('DRAPartitionableDevices') ? 'dropped' : target.atLeast('1.35') ? 'own-slices' : 'beside-devices',
    shares: has('DRAConsumableCapacity'),
  };
}

function asUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigurationError || !(error instanceof Error)) throw new UsageError((error as Error).message);
    throw new UsageError(error.message);
  }
}

/** What the configuration keeps back on purpose, and what another version could be told, is no finding. */
function isWhole({ pool }: DryRun): boolean {
  return pool === undefined || pool.withheld.every(({ code }) => findFailure(code)?.severity === 'info');
}
