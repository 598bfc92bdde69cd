import type { Fields } from './workloads';
import { TEMPLATE_TEXT_LIMITS } from '../../../src/model/api';
import { compileAdmissionPolicy, CompiledAdmissionPolicy, type AdmissionRequest } from '../../../src/model/cel/admission';
import type { AdmissionPolicy } from '../../../src/model/policy';

/** A request to a policy; the namespace of the object is `vision` unless it says another. */
export interface Trial {
  readonly object: Fields;
  readonly oldObject?: Fields;
  readonly params?: Fields;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly resource?: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
}

export const TENANT = 'anna';
export const NAMESPACE = 'vision';

const compiled = new Map<AdmissionPolicy, CompiledAdmissionPolicy>();

/** What a policy says against a request; nothing means that it passes. Fails where an expression does. */
export function refusals(policy: AdmissionPolicy, trial: Trial): (string | undefined)[] {
  let program = compiled.get(policy);
  if (program === undefined) {
    // A policy with failurePolicy Ignore lets pass what it cannot evaluate, and does not say so.
    const outcome = compileAdmissionPolicy({ ...policy.spec, failurePolicy: 'Fail' }, { minor: '1.36' });
    if (!(outcome instanceof CompiledAdmissionPolicy)) throw new Error(JSON.stringify(outcome));
    compiled.set(policy, program = outcome);
  }
  const { object, oldObject, params, user = TENANT, groups = ['system:authenticated'], subResource } = trial;
  const slash = object.apiVersion.lastIndexOf('/');
  const [group, version] = [object.apiVersion.slice(0, Math.max(slash, 0)), object.apiVersion.slice(slash + 1)];
  const request: AdmissionRequest = {
    operation: oldObject === undefined ? 'CREATE' : 'UPDATE',
    kind: { group, version, kind: object.kind },
    resource: trial.resource ?? { group, version, resource: pluralOf(object.kind) },
    subResource,
    name: object.metadata.name,
    namespace: object.kind === 'Namespace' ? undefined : object.metadata.namespace ?? NAMESPACE,
    userInfo: { username: user, groups },
  };
  const decisions = program.decide({ request, object, oldObject, params });
  const errors = decisions.filter(({ evaluation }) => evaluation === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return decisions.filter(({ action }) => action === 'deny').map(({ message }) => message);
}

function pluralOf(kind: string): string {
  return `${kind.toLowerCase()}s`;
}

/** A pod spec whose containers take devices from templates, claims, and by limits. */
export function podSpec({ templates = [], claims = [], limits, initLimits }: {
  readonly templates?: readonly string[];
  readonly claims?: readonly string[];
  readonly limits?: Fields;
  readonly initLimits?: Fields;
}): Fields {
  const named = [
    ...templates.map(resourceClaimTemplateName => ({ name: resourceClaimTemplateName, resourceClaimTemplateName })),
    ...claims.map(resourceClaimName => ({ name: resourceClaimName, resourceClaimName })),
  ];
  return {
    restartPolicy: 'Never',
    ...(initLimits === undefined ? {} : { initContainers: [{ name: 'init', image: 'init', resources: { limits: initLimits } }] }),
    containers: [
      { name: 'sidecar', image: 'sidecar' },
      { name: 'main', image: 'main', resources: { ...(limits === undefined ? {} : { limits }), ...(named.length === 0 ? {} : { claims: named.map(({ name }) => ({ name })) }) } },
    ],
    ...(named.length === 0 ? {} : { resourceClaims: named }),
  };
}

/** A bare pod. */
export function pod(spec: Fields, metadata: Fields = {}): Fields {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'train', ...metadata }, spec };
}

/** A Job. */
export function job(spec: Fields, { metadata = {}, ...fields }: Fields = {}): Fields {
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'train', ...metadata }, spec: { ...fields, template: { spec } } };
}

/** A claim; a request is the name of a class, a list of alternatives, or the request itself. */
export function claim(requests: readonly (string | readonly string[] | Fields)[], metadata: Fields = {}): Fields {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name: 'mine', ...metadata }, spec: claimSpec(requests) };
}

/** A claim template. */
export function template(requests: readonly (string | readonly string[] | Fields)[], metadata: Fields = {}): Fields {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name: 'trainer', ...metadata }, spec: { spec: claimSpec(requests) } };
}

function claimSpec(requests: readonly (string | readonly string[] | Fields)[]): Fields {
  return { devices: { requests: requests.map((request, index) => ({ name: `r${index}`, ...requestOf(request) })) } };
}

function requestOf(request: string | readonly string[] | Fields): Fields {
  const exactly = (deviceClassName: string) => ({ deviceClassName, allocationMode: 'ExactCount', count: 1 });
  if (typeof request === 'string') return { exactly: exactly(request) };
  if (Array.isArray(request)) return { firstAvailable: request.map((name, index) => ({ name: `s${index}`, ...exactly(name) })) };
  return request as Fields;
}

/** The longest text that tells these templates of these classes; with short names of further templates where there is room. */
export function fullText(names: readonly string[], classes: readonly string[]): string {
  const lines = classes.map(name => `${name}: ${names.join(' ')}\n`);
  const room = () => TEMPLATE_TEXT_LIMITS.text - lines.join('').length;
  while (lines.length > 1 && room() < 0) lines.pop();
  return `${lines.join('')}z:${' x'.repeat(Math.floor((room() - 3) / 2))}\n`;
}

/** Metadata of what a controller made for an owner. */
export function ownedBy(kind: string, metadata: Fields = {}): Fields {
  return { ...metadata, ownerReferences: [{ apiVersion: 'batch/v1', kind, name: 'train', uid: 'u', controller: true }] };
}
