import type { ApiObject } from 'cdk8s';
import { resolvePointer } from './pod-template-pointer';
import type { IClaimSource } from '../dra/claim-source';
import { LIMITS } from '../model/limits';

/** One use of a claim by a pod template, as `PodDevices.addClaim` was told. */
export interface ClaimAttachment {
  /** Name of the claim inside the pod. */
  readonly name: string;
  readonly reference: ClaimName;
  /** Containers that use it; absent for all regular ones. */
  readonly containers?: readonly string[];
  /** The one request they use; absent for all. */
  readonly request?: string;
}

/** Exactly one of the two names. */
interface ClaimName {
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** Attachments of an object by pointer to the pod template. */
type Attachments = Map<string, ClaimAttachment[]>;

/**
 * Remembers an attachment on the object and, once, makes the object render it.
 *
 * The state sits on the object under a global symbol: two copies of this library, or two `PodDevices` of one workload, share it.
 */
export function attachClaims(object: ApiObject, pointer: string, attachment: ClaimAttachment): void {
  const holder = object as unknown as { [ATTACHMENTS]?: Attachments };
  let attachments = holder[ATTACHMENTS];
  if (!attachments) {
    attachments = new Map();
    Object.defineProperty(object, ATTACHMENTS, { value: attachments });
    renderAttachments(object, attachments);
  }
  const list = attachments.get(pointer) ?? [];
  const clash = list.find(other => other.name === attachment.name && !sameReference(other.reference, attachment.reference));
  if (clash) throw new Error(`[${object.node.path}] ${clashText(attachment.name, clash.reference, attachment.reference)}`);
  attachments.set(pointer, [...list, attachment]);
}

const ATTACHMENTS = Symbol.for('cdk8s-dra.dev/claim-attachments');

/** The generated classes of cdk8s-plus drop unknown fields after patches are applied, so the claims go in after `toJson`. */
function renderAttachments(object: ApiObject, attachments: Attachments): void {
  const render = object.toJson.bind(object);
  object.toJson = () => {
    const json = structuredClone(render());
    for (const [pointer, list] of attachments) addAttachments(object, json, pointer, list);
    return json;
  };
}

interface Pod {
  resourceClaims?: ({ name: string } & ClaimName)[];
  containers?: Container[];
  initContainers?: Container[];
}

interface Container {
  name?: string;
  resources?: { claims?: { name: string; request?: string }[] };
}

/** Puts claims into a rendered object. */
export function addAttachments(object: ApiObject, json: any, pointer: string, attachments: readonly ClaimAttachment[]): void {
  const template = resolvePointer(json, pointer);
  const pod: Pod | undefined = template?.spec;
  if (typeof pod !== 'object' || pod === null || !Array.isArray(pod.containers)) {
    throw new Error(`[${object.node.path}] There must be a pod template with containers at "${pointer}" of ${object.kind} "${object.name}", got none. `
      + 'Give PodDevices.at() the JSON pointer of the object that holds the pod\'s spec.');
  }
  if (template.metadata?.annotations?.['kubernetes.io/config.source'] === 'file') {
    throw new Error(`[${object.node.path}] Static pods cannot use resource claims, got annotation kubernetes.io/config.source: file. `
      + 'Run the pod through the API server, e.g. as a DaemonSet.');
  }
  for (const attachment of attachments) {
    addPodClaim(object, pod, attachment);
    for (const container of containersOf(object, pod, attachment)) addContainerClaim(object, container, attachment);
    refuseTooManyConsumers(object, json, attachment);
  }
}

function addPodClaim(object: ApiObject, pod: Pod, { name, reference }: ClaimAttachment): void {
  if (!pod.resourceClaims) insertField(pod, 'resourceClaims', []);
  const existing = pod.resourceClaims?.find(claim => claim.name === name);
  if (!existing) pod.resourceClaims?.push({ name, ...reference });
  else if (!sameReference(existing, reference)) throw new Error(`[${object.node.path}] ${clashText(name, existing, reference)}`);
}

function containersOf(object: ApiObject, pod: Pod, { name, containers }: ClaimAttachment): Container[] {
  const regular = pod.containers ?? [];
  if (!containers) return regular;
  const all = [...regular, ...pod.initContainers ?? []];
  return containers.map(wanted => {
    const found = all.find(container => container.name === wanted);
    if (found) return found;
    const names = all.map(container => `"${container.name}"`).join(', ');
    throw new Error(`[${object.node.path}] Claim '${name}' must be used by a container of the pod, got "${wanted}". The pod has ${names || 'none'}.`);
  });
}

function addContainerClaim(object: ApiObject, container: Container, { name, request }: ClaimAttachment): void {
  if (!container.resources) insertField(container, 'resources', {});
  const resources = container.resources ?? {};
  if (!resources.claims) insertField(resources, 'claims', []);
  const claims = resources.claims ?? [];
  const uses = claims.filter(claim => claim.name === name);
  if (uses.some(use => use.request === request)) return;
  if (uses.some(use => use.request === undefined) || (request === undefined && uses.length > 0)) {
    throw new Error(`[${object.node.path}] Container "${container.name}" must use claim '${name}' either whole or by request, got both. `
      + 'Leave the request out everywhere, or name one in each addClaim().');
  }
  claims.push({ name, ...(request === undefined ? {} : { request }) });
}

function refuseTooManyConsumers(object: ApiObject, json: any, { name, reference }: ClaimAttachment): void {
  if (reference.resourceClaimName === undefined) return;
  const spec = object.kind === 'CronJob' ? json.spec?.jobTemplate?.spec : json.spec;
  const pods = spec?.replicas ?? spec?.parallelism;
  const { max } = LIMITS.consumers;
  if (typeof pods === 'number' && pods > max) {
    throw new Error(`[${object.node.path}] At most ${max} pods may share claim "${reference.resourceClaimName}" ('${name}'), got ${pods}. `
      + 'Use a ResourceClaimTemplate, which makes a claim for each pod, or split the workload over several claims.');
  }
}

/** Adds a field where cdk8s, which sorts keys before this comes in, would have put it. */
function insertField<K extends string>(object: { [key in K]?: unknown }, key: K, value: unknown): void {
  const later = Object.entries(object).filter(([name]) => name > key);
  object[key] = value;
  for (const [name, moved] of later) {
    delete object[name as K];
    object[name as K] = moved;
  }
}

function sameReference(a: ClaimName, b: ClaimName): boolean {
  return a.resourceClaimName === b.resourceClaimName && a.resourceClaimTemplateName === b.resourceClaimTemplateName;
}

function clashText(name: string, first: ClaimName, second: ClaimName): string {
  return `Claim '${name}' must have one source in a pod, got ${sourceText(first)} and ${sourceText(second)}. Give the second claim another name.`;
}

function sourceText({ resourceClaimName, resourceClaimTemplateName }: ClaimName): string {
  return resourceClaimName !== undefined ? `claim "${resourceClaimName}"` : `template "${resourceClaimTemplateName}"`;
}

/** Refuses a claim that pods of this object cannot use. */
export function refuseOtherNamespace(object: ApiObject, name: string, source: IClaimSource): void {
  const own = object.metadata.namespace;
  const other = source.claimNamespace;
  if (own === undefined || other === undefined || own === other) return;
  throw new Error(`[${object.node.path}] Claim '${name}' must live in the pods' namespace "${own}", got one in "${other}": `
    + 'Kubernetes cannot use one claim from two namespaces. Make a claim or template in each namespace, '
    + 'or share the device itself by a class whose devices allow several allocations.');
}
