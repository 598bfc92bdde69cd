import { parseAllDocuments } from 'yaml';
import type { Failure } from '../../../src/model/failures';
import type { Manifest } from '../../../src/model/manifests/manifest';
import { formatPath } from '../../../src/model/manifests/manifest';
import { runRules } from '../../../src/model/rules';
import type { Finding } from '../../../src/model/rules';
import { Target } from '../../../src/model/target';

/** The documents of a YAML text as manifests, empty ones left out. */
export function manifestsOf(yaml: string, name = 'test.yaml'): Manifest[] {
  return parseAllDocuments(yaml).flatMap((document, index) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [{ value: value as Manifest['value'], source: { name, document: index } }];
  });
}

export function check(yaml: string, target: string | Target = '1.34', previous?: string): Finding[] {
  const before = previous === undefined ? undefined : manifestsOf(previous, 'previous.yaml');
  return runRules(manifestsOf(yaml), typeof target === 'string' ? Target.of(target) : target, { previous: before });
}

/** Errors and warnings as `CODE severity path`, the path being that inside the object. */
export function found(yaml: string, target: string | Target = '1.34'): string[] {
  return check(yaml, target).filter(({ severity }) => severity !== 'info').map(({ code, severity, path }) => `${code} ${severity} ${formatPath(path)}`);
}

/** The cluster that the examples of a failure are meant for. */
export function targetOf({ kubernetes, featureGates }: Failure): Target {
  return Target.of(kubernetes ?? '1.34', { featureGates });
}

/** Findings of one code for an example of the catalogue. */
export function findingsFor(failure: Failure, yaml: string): Finding[] {
  return check(yaml, targetOf(failure), failure.previous).filter((finding) => finding.code === failure.code);
}

/** Message and help of the only finding with a code. */
export function textOf(yaml: string, code: string, target: string | Target = '1.34'): string {
  const [finding, ...more] = check(yaml, target).filter((candidate) => candidate.code === code);
  expect([finding?.code, more]).toEqual([code, []]);
  return `${finding.message} ${finding.help}`;
}

/** A ResourceClaim with these fields of `spec.devices`. */
export function claim(devices: unknown, version = 'v1', name = 'gpu'): string {
  return JSON.stringify({ apiVersion: `resource.k8s.io/${version}`, kind: 'ResourceClaim', metadata: { name }, spec: { devices } });
}

/** A request of one class with further fields. */
export function request(name: string, fields: object = {}): object {
  return { name, exactly: { deviceClassName: 'gpu.nvidia.com', ...fields } };
}

/** A Pod whose only container and whose claims are given. */
export function pod(resourceClaims: unknown, claims: unknown, name = 'pod', namespace?: string): string {
  return JSON.stringify({
    apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec: { resourceClaims, containers: [{ name: 'main', image: 'x', resources: { claims } }] },
  });
}

/** Several documents in one text. */
export function documents(...texts: string[]): string {
  return texts.join('\n---\n');
}
