import { DEVICE_CLASSES, PODS, RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import type { Resource } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract, Need } from '../contract.js';
import { cel, claim, claimTemplate, deviceClass, pod, slice } from '../manifests.js';
import { POD_NEEDS, waitForServiceAccount } from './pod-support.js';

function change(resource: Resource): readonly Need[] {
  return need(resource, ['create', 'patch', 'get', 'delete']);
}

const IMMUTABLE = 'field is immutable';

export const IMMUTABILITY_CONTRACTS: readonly Contract[] = [
  {
    id: 'immutable-claim-spec',
    area: 'Immutability',
    title: 'the spec of a claim cannot be changed',
    why: 'What a claim asks for is what was admitted and counted.',
    mode: 'live',
    effect: 'creates',
    needs: change(RESOURCE_CLAIMS),
    run: async (trial) => {
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      const patch = trial.client.patch(RESOURCE_CLAIMS, trial.nameOf(made), { json: [{ op: 'replace', path: '/spec/devices/requests/0/exactly/count', value: 2 }] });
      await trial.refuses('another count', patch, 'spec', IMMUTABLE);
      const label = trial.client.patch(RESOURCE_CLAIMS, trial.nameOf(made), { merge: { metadata: { labels: { 'example.com/a': 'b' } } } });
      await trial.accepts('another label', label);
    },
  },
  {
    id: 'immutable-template-spec',
    area: 'Immutability',
    title: 'the spec of a claim template cannot be changed, its labels can',
    why: 'A real change of an offer is a new name; engines that apply a changed template are refused.',
    mode: 'live',
    effect: 'creates',
    needs: change(RESOURCE_CLAIM_TEMPLATES),
    run: async (trial) => {
      const made = await trial.create(RESOURCE_CLAIM_TEMPLATES, claimTemplate());
      const patch = (merge: unknown) => trial.client.patch(RESOURCE_CLAIM_TEMPLATES, trial.nameOf(made), { merge });
      await trial.refuses('other claim labels', patch({ spec: { metadata: { labels: { 'example.com/a': 'b' } } } }), 'spec', IMMUTABLE);
      await trial.accepts('other labels of its own', patch({ metadata: { labels: { 'example.com/a': 'b' } } }));
    },
  },
  {
    id: 'mutable-class',
    area: 'Immutability',
    title: 'a device class can be changed, and its generation says so',
    why: 'What varies over a migration lives in the class: templates that name it stay as they are.',
    mode: 'live',
    effect: 'creates',
    needs: change(DEVICE_CLASSES),
    run: async (trial) => {
      const made = await trial.create(DEVICE_CLASSES, deviceClass());
      const changed = await trial.accepts('another selector', trial.client.patch(DEVICE_CLASSES, trial.nameOf(made), { merge: { spec: { selectors: [cel('false')] } } }));
      trial.equal('the generation', changed?.metadata?.generation, (made.metadata?.generation ?? 0) + 1);
    },
  },
  {
    id: 'immutable-slice-identity',
    area: 'Immutability',
    title: 'driver, pool name and node of a slice cannot be changed; devices and pool generation can',
    why: 'A slice that could change its node would pass by the policy that binds drivers to their node.',
    mode: 'live',
    effect: 'creates',
    needs: change(RESOURCE_SLICES),
    run: async (trial) => {
      const made = await trial.create(RESOURCE_SLICES, slice({ devices: [{ name: 'device' }] }));
      const patch = (spec: unknown) => trial.client.patch(RESOURCE_SLICES, trial.nameOf(made), { merge: { spec } });
      await trial.refuses('another driver', patch({ driver: 'other.cdk8s-dra.dev' }), 'spec.driver', IMMUTABLE);
      await trial.refuses('another pool name', patch({ pool: { name: 'other' } }), 'spec.pool.name', IMMUTABLE);
      await trial.refuses('another node', patch({ nodeName: 'other.invalid' }), 'spec.nodeName', IMMUTABLE);
      const changed = await trial.accepts('other devices', patch({ pool: { generation: 2 }, devices: [{ name: 'other' }] }));
      trial.equal('the generation', changed?.metadata?.generation, 2);
    },
  },
  {
    id: 'immutable-pod-claims',
    area: 'Immutability',
    title: 'the claims of a pod cannot be changed',
    why: 'PodDevices must put them into the pod template; nothing can add them later.',
    mode: 'live',
    effect: 'creates',
    needs: [...POD_NEEDS, ...need(PODS, ['patch'])],
    run: async (trial) => {
      await waitForServiceAccount(trial);
      const made = await trial.create(PODS, pod());
      const patch = trial.client.patch(PODS, trial.nameOf(made), { merge: { spec: { resourceClaims: [{ name: 'late', resourceClaimName: 'claim' }] } } });
      await trial.refuses('a claim added later', patch, 'spec: Forbidden: pod updates may not change fields other than');
    },
  },
];
