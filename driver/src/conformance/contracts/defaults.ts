import type { KubeObject } from '../../kube/object.js';
import { RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { alternative, alternatives, claim, claimTemplate, exactly, sliceWith } from '../manifests.js';

interface Request {
  readonly exactly?: {
    readonly allocationMode?: string;
    readonly count?: number;
    readonly tolerations?: readonly { readonly operator?: string; readonly effect?: string }[];
  };
  readonly firstAvailable?: readonly { readonly allocationMode?: string; readonly count?: number }[];
}

function requestsOf({ spec }: KubeObject): readonly Request[] {
  const { devices } = spec as { readonly devices?: { readonly requests?: readonly Request[] } };
  return devices?.requests ?? [];
}

export const DEFAULT_CONTRACTS: readonly Contract[] = [
  {
    id: 'default-request',
    area: 'Defaults',
    title: 'a request without mode and count asks for exactly one device; mode All gets no count',
    why: 'We write the defaults out, as GitOps engines would see a difference on every pass.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_CLAIMS, ['create']),
    run: async (trial) => {
      const answer = await trial.tryCreate(RESOURCE_CLAIMS, claim({ requests: [exactly('one'), exactly('all', { allocationMode: 'All' })] }));
      const [one, all] = requestsOf(answer);
      trial.equal('the mode', one?.exactly?.allocationMode, 'ExactCount');
      trial.equal('the count', one?.exactly?.count, 1);
      trial.equal('the count beside mode All', all?.exactly?.count, undefined);
    },
  },
  {
    id: 'default-alternative',
    area: 'Defaults',
    title: 'an alternative without mode and count asks for exactly one device',
    why: 'As for requests.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_CLAIMS, ['create']),
    run: async (trial) => {
      trial.requires('DeviceRequest', 'firstAvailable');
      const answer = await trial.tryCreate(RESOURCE_CLAIMS, claim({ requests: [alternatives('device', alternative('one'))] }));
      trial.equal('the mode', requestsOf(answer)[0]?.firstAvailable?.[0]?.allocationMode, 'ExactCount');
      trial.equal('the count', requestsOf(answer)[0]?.firstAvailable?.[0]?.count, 1);
    },
  },
  {
    id: 'default-template',
    area: 'Defaults',
    title: 'the same defaults are written into templates',
    why: 'A template that is compared with its manifest must not differ.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_CLAIM_TEMPLATES, ['create']),
    run: async (trial) => {
      const answer = await trial.tryCreate(RESOURCE_CLAIM_TEMPLATES, claimTemplate());
      const [request] = requestsOf(answer.spec as KubeObject);
      trial.equal('the mode', request?.exactly?.allocationMode, 'ExactCount');
      trial.equal('the count', request?.exactly?.count, 1);
    },
  },
  {
    id: 'default-toleration',
    area: 'Defaults',
    title: 'a toleration without operator means Equal',
    why: 'Constructs write it out.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_CLAIMS, ['create']),
    run: async (trial) => {
      trial.requires('ExactDeviceRequest', 'tolerations');
      const answer = await trial.tryCreate(RESOURCE_CLAIMS, claim({ requests: [exactly('device', { tolerations: [{ key: 'example.com/sick', value: 'yes', effect: 'NoSchedule' }] })] }));
      trial.equal('the operator', requestsOf(answer)[0]?.exactly?.tolerations?.[0]?.operator, 'Equal');
    },
  },
  {
    id: 'default-toleration-effect',
    area: 'Defaults',
    title: 'a toleration may leave out its effect, and stays so',
    why: 'It tolerates every effect; the gate DeclarativeValidationTakeover of 1.35 refuses it.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_CLAIMS, ['create']),
    run: async (trial) => {
      trial.requires('ExactDeviceRequest', 'tolerations');
      const request = exactly('device', { tolerations: [{ key: 'example.com/sick', operator: 'Exists' }] });
      const answer = await trial.accepts('a toleration without effect', trial.tryCreate(RESOURCE_CLAIMS, claim({ requests: [request] })));
      if (answer !== undefined) trial.equal('the effect', requestsOf(answer)[0]?.exactly?.tolerations?.[0]?.effect, undefined);
    },
  },
  {
    id: 'default-taint-time',
    area: 'Defaults',
    title: 'a device taint without a time gets the present',
    why: 'tolerationSeconds count from it.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_SLICES, ['create']),
    run: async (trial) => {
      trial.requires('Device', 'taints');
      const answer = await trial.tryCreate(RESOURCE_SLICES, sliceWith({ taints: [{ key: 'example.com/sick', effect: 'NoSchedule' }] }));
      const { devices } = answer.spec as { readonly devices?: readonly { readonly taints?: readonly { readonly timeAdded?: string }[] }[] };
      const added = devices?.[0]?.taints?.[0]?.timeAdded;
      const created = answer.metadata?.creationTimestamp;
      const isPresent = added !== undefined && created !== undefined && Math.abs(Date.parse(added) - Date.parse(created)) < 5000;
      trial.expect(isPresent, `the time is ${added ?? 'absent'}, the object was made at ${created ?? 'an unknown time'}`);
    },
  },
];
