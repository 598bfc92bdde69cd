// Single requests as real accounts: who asks where for what, and in which words it is refused.
import { LEGACY, PLAIN, podWith, TENANT } from './doors-world.mjs';
import { refusal } from './scratch.mjs';
import { expect } from './suite.mjs';
import { claimsIn, claimTemplate, podsIn, templatesIn } from './workers.mjs';

export const IMPLICIT = 'deviceclass.resource.kubernetes.io/';
export const CLOSED = 'Class doors-closed is not open yet.';
const SAFE = { labels: { 'cdk8s-dra.dev/interruption': 'safe' } };

/** A claim; a request is the name of a class, or the request itself. */
export const claim = (requests, metadata = {}) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'mine', ...metadata },
  spec: { devices: { requests: requests.map((request, index) => ({ name: `r${index}`, ...(typeof request === 'string' ? { exactly: exact(request) } : request) })) } },
});
const exact = (deviceClassName, more = {}) => ({ deviceClassName, allocationMode: 'ExactCount', count: 1, ...more });
const alternatives = (...names) => ({ firstAvailable: names.map((name, index) => ({ name: `s${index}`, ...exact(name) })) });
/** Metadata of what a controller made for a Job. */
export const owned = { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'train', uid: 'a', controller: true }] };
const ownedByPod = { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'train', uid: 'a', controller: true }] };

/** What is tried: who, in which namespace, what, and the words of the refusal, undefined where it passes. */
export const DOOR = [
  ['anna', TENANT, podWith({}), undefined],
  ['anna', TENANT, podWith({ templates: ['closed'] }), `Pod "train" asks for class doors-closed by template closed; it is cdk8s-dra.dev/interruption=costly. ${CLOSED} Until then ask for ${LEGACY}. What runs goes on, and its pods are replaced. Doors: kubectl get deviceroutings default -o yaml.`],
  ['anna', TENANT, podWith({ limits: { [LEGACY]: '1' } }), `Pod "train" asks for ${LEGACY}; it is cdk8s-dra.dev/interruption=costly. ${LEGACY} takes no new work. What runs goes on`],
  ['anna', TENANT, podWith({ limits: { [`${IMPLICIT}doors-closed`]: '1' } }), `asks for class doors-closed by resource ${IMPLICIT}doors-closed`],
  ['anna', TENANT, podWith({ limits: { [`${IMPLICIT}doors-open`]: '1' } }), undefined],
  ['anna', TENANT, podWith({ claims: ['whatever'] }), undefined],
  ['anna', TENANT, podWith({ templates: ['canary'] }), 'it is cdk8s-dra.dev/interruption=costly. Class doors-canary is open for a canary only.'],
  ['anna', TENANT, podWith({ templates: ['canary'] }, SAFE), undefined],
  ['anna', PLAIN, podWith({ templates: ['canary'] }, SAFE), 'Class doors-canary is open for a canary only.'],
  ['anna', TENANT, podWith({ templates: ['tenants'] }), undefined],
  ['anna', TENANT, podWith({ templates: ['tenants'] }, { labels: { 'cdk8s-dra.dev/interruption': 'forbidden' } }), 'it is cdk8s-dra.dev/interruption=forbidden. Class doors-tenants is open for what may be interrupted.'],
  ['anna', TENANT, claim(['doors-closed']), 'ResourceClaim "mine" asks for class doors-closed by a claim'],
  ['anna', TENANT, claim([alternatives('doors-open', 'doors-closed')]), 'asks for class doors-closed by a claim'],
  ['anna', TENANT, claim(['doors-open']), undefined],
  ['anna', PLAIN, claimTemplate('another', 'doors-closed'), undefined],
  // A person, an account of the tenant, and a controller that has no owner to name are new owners; a controller of the cluster is not.
  ['anna', TENANT, podWith({ templates: ['closed'] }, owned), CLOSED],
  ['runner', TENANT, podWith({ templates: ['closed'] }, owned), CLOSED],
  ['operator', TENANT, podWith({ templates: ['closed'] }), CLOSED],
  ['operator', TENANT, podWith({ templates: ['closed'] }, owned), undefined],
  ['paula', TENANT, podWith({ templates: ['closed'] }), CLOSED],
];

const REFUSED_CLASS = 'names class nobodys, which namespace doors-vision may not use. It may use doors-canary, doors-closed, doors-open, doors-tenants. Ask in #devices.';
export const ACCESS_TRIALS = [
  ['anna', TENANT, claim(['nobodys']), `ResourceClaim "mine" ${REFUSED_CLASS}`],
  ['anna', TENANT, claimTemplate('open', 'nobodys'), `ResourceClaimTemplate "open" ${REFUSED_CLASS}`],
  ['anna', TENANT, claimTemplate('mine', 'doors-open'), 'ResourceClaimTemplate "mine" is not among the claim templates of namespace doors-vision. It may use'],
  ['anna', TENANT, claim([{ exactly: exact('doors-open', { count: 5 }) }]), 'ResourceClaim "mine" can take 5 devices; one claim of namespace doors-vision may have 4.'],
  ['anna', TENANT, claim([{ exactly: { deviceClassName: 'doors-open', allocationMode: 'All' } }]), 'can take 32 devices'],
  ['anna', TENANT, claim([{ exactly: exact('doors-open', { count: 4 }) }]), undefined],
  ['anna', TENANT, podWith({ templates: ['mine'] }), 'Pod "train" names claim template mine, which is not among those of namespace doors-vision. It may use'],
  ['anna', TENANT, podWith({ limits: { [`${IMPLICIT}doors-tenants`]: '1' } }), `asks for ${IMPLICIT}doors-tenants, and namespace doors-vision may not ask for that class as a resource.`],
  ['anna', PLAIN, claim(['nobodys']), undefined],
  ['anna', PLAIN, podWith({ templates: ['mine'] }), undefined],
  ['operator', TENANT, claim(['nobodys'], owned), undefined],
  ['operator', TENANT, claim(['nobodys']), REFUSED_CLASS],
];

// C-043
export const ORIGIN = [
  ['anna', PLAIN, claim(['doors-open'], { annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' }, ...ownedByPod }), "Claim mine carries resource.kubernetes.io/extended-resource-claim, which only the scheduler and the controllers of Kubernetes write. Leave it out; to get a claim for each pod, name a claim template in the pod."],
  ['anna', PLAIN, claim(['doors-open'], { annotations: { 'resource.kubernetes.io/pod-claim-name': 'gpu' } }), 'carries resource.kubernetes.io/pod-claim-name'],
  ['runner', TENANT, claim(['doors-open'], ownedByPod), 'carries controller Pod train'],
  ['operator', TENANT, claim(['doors-open'], ownedByPod), 'carries controller Pod train'],
  ['operator', TENANT, claim(['doors-open'], owned), undefined],
  ['anna', PLAIN, claim(['doors-open']), undefined],
];

/** One dry run as a person or account; `words` are those of the refusal, undefined where it must pass. */
export async function attempt(client, path, object, words) {
  const got = await refusal(() => client.create(`${path}?dryRun=All`, object));
  if (words === undefined) return got === undefined ? [] : [`${object.kind} ${object.metadata.name}: refused, and must pass: ${got}`];
  if (got === undefined) return [`${object.kind} ${object.metadata.name}: goes through; "${words}" was promised.`];
  return got.includes(words) ? [] : [`${object.kind} ${object.metadata.name}: other words than promised.\nPromised: ${words}\nGot:      ${got}`];
}

/** Tries every row of a table. */
export async function tryTable(world, trials) {
  const wrong = [];
  for (const [who, namespace, object, words] of trials) {
    const path = { Pod: podsIn, ResourceClaim: claimsIn, ResourceClaimTemplate: templatesIn }[object.kind](namespace);
    wrong.push(...(await attempt(world[who], path, object, words)).map(text => `${who} in ${namespace}: ${text}`));
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${trials.length} requests`;
}

