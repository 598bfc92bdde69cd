import type { KubeObject } from '../../kube/object.js';
import { EVENTS, PODS, RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS, RESOURCE_QUOTAS } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { claimTemplate, DRIVER, pod } from '../manifests.js';
import type { Trial } from '../trial.js';
import { POD_NEEDS, waitForServiceAccount } from './pod-support.js';

const NEEDS = [
  ...need(RESOURCE_CLAIM_TEMPLATES, ['create', 'delete']), ...POD_NEEDS, ...need(RESOURCE_CLAIMS, ['get', 'list']),
];

interface ClaimStatus {
  readonly name: string;
  readonly resourceClaimName?: string;
}

export const TEMPLATE_CLAIM_CONTRACTS: readonly Contract[] = [
  {
    id: 'template-claim-made',
    area: 'Template claims',
    title: 'a pod that names a template gets a claim of its own: named after it, owned by it, with the labels of the template, and written into its status',
    why: 'explain, quota and fence find the pod of a claim, and the claim of a pod, by these.',
    mode: 'live',
    effect: 'creates',
    needs: NEEDS,
    run: async (trial) => {
      const { made, claim } = await podWithClaim(trial, claimTemplate({}, { labels: { 'example.com/team': 'vision' }, annotations: { 'example.com/note': 'x' } }));
      if (claim === undefined) return;
      const { name = '', annotations = {}, labels = {}, ownerReferences = [] } = claim.metadata ?? {};
      trial.expect(name.startsWith(`${made.metadata?.name ?? ''}-device-`), `the claim is named ${name}`);
      trial.equal('the annotation with the name of the pod claim', annotations['resource.kubernetes.io/pod-claim-name'], 'device');
      trial.equal('the label of the template', labels['example.com/team'], 'vision');
      trial.equal('the annotation of the template', annotations['example.com/note'], 'x');
      const [owner, ...others] = ownerReferences;
      trial.equal('the owner', { kind: owner?.kind, name: owner?.name, uid: owner?.uid, controller: owner?.controller }, {
        kind: 'Pod', name: made.metadata?.name, uid: made.metadata?.uid, controller: true,
      });
      trial.equal('the number of other owners', others.length, 0);
      trial.note(`blockOwnerDeletion is ${String(owner?.blockOwnerDeletion ?? false)}`);
    },
  },
  {
    id: 'template-claim-deleted',
    area: 'Template claims',
    title: 'the claim of a template goes with its pod',
    why: 'Nothing else gives the device back.',
    mode: 'live',
    effect: 'creates',
    needs: NEEDS,
    run: async (trial) => {
      const { made, claim } = await podWithClaim(trial, claimTemplate());
      if (claim === undefined) return;
      await trial.remove(PODS, made);
      await trial.eventually('the end of the claim', async () => (await trial.client.find(RESOURCE_CLAIMS, trial.nameOf(claim)) === undefined ? true : undefined), 40_000);
    },
  },
  {
    id: 'template-in-use-deleted',
    area: 'Template claims',
    title: 'a template can be deleted while pods use it, and their claims stay',
    why: 'Pruning an old template harms no running pod; only pods made later wait for ever.',
    mode: 'live',
    effect: 'creates',
    needs: NEEDS,
    run: async (trial) => {
      const { claim, template } = await podWithClaim(trial, claimTemplate());
      if (claim === undefined) return;
      await trial.remove(RESOURCE_CLAIM_TEMPLATES, template);
      await trial.pause(1000);
      trial.expect(await trial.client.find(RESOURCE_CLAIMS, trial.nameOf(claim)) !== undefined, 'the claim went with the template');
    },
  },
  {
    id: 'template-missing-event',
    area: 'Template claims',
    title: 'a pod whose template is missing says so in an event, and goes on once the template is there',
    why: 'explain reads this event: the scheduler is silent about such pods.',
    mode: 'live',
    effect: 'creates',
    needs: [...NEEDS, ...need(EVENTS, ['list'])],
    run: async (trial) => {
      await waitForServiceAccount(trial);
      const template = trial.name(RESOURCE_CLAIM_TEMPLATES);
      const made = await trial.create(PODS, pod({ resourceClaims: [{ name: 'device', resourceClaimTemplateName: template }] }));
      const event = await eventOf(trial, made, 'FailedResourceClaimCreation');
      const message = String(event?.message ?? '');
      for (const words of ['PodResourceClaim device: resource claim template', `"${template}"`, 'not found']) {
        if (event !== undefined) trial.expect(message.includes(words), `the event lacks the words "${words}": ${message}`);
      }
      await trial.create(RESOURCE_CLAIM_TEMPLATES, claimTemplate());
      // The controller waits longer after each attempt.
      await trial.eventually('the claim after the template came', () => claimOf(trial, made), 45_000);
    },
  },
  {
    id: 'template-claim-refused-event',
    area: 'Template claims',
    title: 'a pod whose claim is refused by a quota says so in an event',
    why: 'explain reads it: the pod itself is accepted and waits without a condition.',
    mode: 'live',
    effect: 'creates',
    needs: [...NEEDS, ...need(EVENTS, ['list']), ...need(RESOURCE_QUOTAS, ['create', 'get', 'delete'])],
    run: async (trial) => {
      await waitForServiceAccount(trial);
      const key = `${DRIVER}.deviceclass.resource.k8s.io/devices`;
      const quota = await trial.create(RESOURCE_QUOTAS, { spec: { hard: { [key]: '0' } } });
      await trial.eventually('the count of the quota', async () => {
        const { status } = await trial.client.get(RESOURCE_QUOTAS, trial.nameOf(quota));
        return (status as { readonly used?: Readonly<Record<string, string>> } | undefined)?.used?.[key];
      });
      const template = await trial.create(RESOURCE_CLAIM_TEMPLATES, claimTemplate());
      const made = await trial.create(PODS, pod({ resourceClaims: [{ name: 'device', resourceClaimTemplateName: template.metadata?.name }] }));
      const event = await eventOf(trial, made, 'FailedResourceClaimCreation');
      if (event !== undefined) trial.expect(String(event.message).includes('exceeded quota'), `the event says: ${String(event.message)}`);
    },
  },
];

function eventOf(trial: Trial, { metadata }: KubeObject, reason: string): Promise<KubeObject | undefined> {
  return trial.eventually(`an event ${reason}`, async () => {
    const { items } = await trial.client.list(EVENTS, { namespace: trial.namespace, fieldSelector: `involvedObject.uid=${metadata?.uid ?? ''}` });
    return items.find((event) => event.reason === reason);
  });
}

interface PodWithClaim {
  readonly made: KubeObject;
  readonly template: KubeObject;
  readonly claim: KubeObject | undefined;
}

async function podWithClaim(trial: Trial, template: KubeObject): Promise<PodWithClaim> {
  await waitForServiceAccount(trial);
  const stored = await trial.create(RESOURCE_CLAIM_TEMPLATES, template);
  const made = await trial.create(PODS, pod({ resourceClaims: [{ name: 'device', resourceClaimTemplateName: stored.metadata?.name }] }));
  return { made, template: stored, claim: await trial.eventually('the claim of the pod', () => claimOf(trial, made)) };
}

async function claimOf(trial: Trial, made: KubeObject): Promise<KubeObject | undefined> {
  const { status } = await trial.client.get(PODS, trial.nameOf(made));
  const { resourceClaimStatuses = [] } = (status ?? {}) as { readonly resourceClaimStatuses?: readonly ClaimStatus[] };
  const name = resourceClaimStatuses.find((one) => one.name === 'device')?.resourceClaimName;
  return name === undefined ? undefined : trial.client.find(RESOURCE_CLAIMS, { name, namespace: trial.namespace });
}
