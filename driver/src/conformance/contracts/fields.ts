import { DEFINITIONS } from 'cdk8s-dra/model';
import type { Minor, Unsupported } from 'cdk8s-dra/model';

import { isApiError } from '../../kube/api-error.js';
import { DEVICE_CLASSES, RESOURCE_CLAIM_TEMPLATES, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { fieldFates, isFieldIn } from '../field-walk.js';
import type { FieldFate } from '../field-walk.js';
import { allocation, claim, deviceStatus, opaque } from '../manifests.js';
import type { Fields } from '../manifests.js';
import { SAMPLES } from '../samples.js';
import type { Sample } from '../samples.js';
import type { Trial } from '../trial.js';
import { ALLOCATION_NEEDS } from './allocated-claim.js';

/** Fields that servers keep although their gates are off, and then ignore; source: strategy.go of resourceclaim, resourceclaimspec/util.go. */
const KEPT_WITHOUT_GATE: readonly { readonly name: string; readonly since?: Minor; readonly until?: Minor }[] = [
  { name: 'AllocationResult.allocationTimestamp', since: '1.35' },
  { name: 'DeviceConstraint.distinctAttribute', until: '1.34' },
  { name: 'DeviceRequestAllocationResult.tolerations' },
  { name: 'DeviceSubRequest.tolerations', until: '1.34' },
  { name: 'ExactDeviceRequest.tolerations', until: '1.34' },
];

export const FIELD_CONTRACTS: readonly Contract[] = [
  ...SAMPLES.map((sample): Contract => ({
    id: `fields-${sample.name}`,
    area: 'Fields',
    title: `every field of a ${sample.resource.kind} (${sample.name}) comes back as it was sent, or is dropped as its gate says`,
    why: 'A dropped field leaves an object that looks right and means something else.',
    ...(sample.since === undefined ? {} : { since: sample.since }),
    ...(sample.until === undefined ? {} : { until: sample.until }),
    mode: 'live',
    effect: 'tries',
    needs: need(sample.resource, ['create']),
    run: async (trial) => compareSample(trial, sample),
  })),
  {
    id: 'fields-stored',
    area: 'Fields',
    title: 'what a dry run answers is what is stored and read back, for claims, templates, classes and slices',
    why: 'The other contracts of this area look at dry runs.',
    mode: 'live',
    effect: 'creates',
    needs: [DEVICE_CLASSES, RESOURCE_CLAIMS, RESOURCE_CLAIM_TEMPLATES, RESOURCE_SLICES].flatMap((resource) => need(resource, ['create', 'get', 'delete'])),
    run: async (trial) => {
      for (const name of ['device-class', 'claim', 'claim-template', 'slice-node']) {
        const sample = SAMPLES.find((one) => one.name === name);
        if (sample === undefined) continue;
        const { resource, object } = sample;
        const promised = await trial.accepts(`a dry run of ${name}`, trial.tryCreate(resource, object));
        const answered = await trial.accepts(`${name}`, trial.create(resource, object));
        if (promised === undefined || answered === undefined) continue;
        const stored = await trial.client.get(resource, trial.nameOf(answered));
        trial.equal(`the stored spec of ${name}`, stored.spec, promised.spec);
      }
    },
  },
  {
    id: 'fields-claim-status',
    area: 'Fields',
    title: 'every field of a claim status comes back as it was sent, or is dropped as its gate says',
    why: 'Agents report health and addresses there; the controller reads shares and binding conditions.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: compareStatus,
  },
  {
    id: 'fields-int64-exact',
    area: 'Fields',
    title: 'an int64 attribute beyond 2^53 keeps all its digits',
    why: 'Serial numbers and addresses are published as int attributes.',
    mode: 'live',
    effect: 'tries',
    needs: need(RESOURCE_SLICES, ['create']),
    run: async (trial) => {
      const sample = SAMPLES.find(({ name }) => name === 'slice-node');
      const answer = await trial.tryCreate(RESOURCE_SLICES, sample?.object ?? {});
      const spec = answer.spec as { readonly devices?: readonly { readonly attributes?: Readonly<Record<string, { readonly int?: unknown }>> }[] };
      trial.equal('the attribute', spec.devices?.[0]?.attributes?.slot?.int, 9007199254740993n);
    },
  },
  {
    id: 'fields-unknown-dropped',
    area: 'Fields',
    title: 'a field that the server does not know is dropped with a warning, and refused when the client asks for strictness',
    why: 'GitOps engines write without strictness: check is the only place where such a mistake is an error.',
    mode: 'live',
    effect: 'tries',
    needs: need(DEVICE_CLASSES, ['create']),
    run: async (trial) => {
      const body = trial.manifest(DEVICE_CLASSES, { spec: { suitableNodes: { nodeSelectorTerms: [] } } });
      const answer = await trial.accepts('an unknown field', trial.client.create(DEVICE_CLASSES, body, { dryRun: true, fieldValidation: 'Warn' }));
      trial.expect(!JSON.stringify(answer?.spec ?? {}).includes('suitableNodes'), 'the unknown field was kept');
      const strict = trial.client.create(DEVICE_CLASSES, body, { dryRun: true, fieldValidation: 'Strict' });
      await trial.refuses('an unknown field under strict validation', strict, 'unknown field "spec.suitableNodes"');
    },
  },
];

/** Every field of a claim status, for a claim with one device. */
const STATUS: Fields = {
  allocation: {
    ...allocation(1, { config: [{ source: 'FromClass', requests: ['device'], ...opaque({ size: 1 }) }] }, {
      tolerations: [{ key: 'example.com/sick', operator: 'Equal', value: 'yes', effect: 'NoExecute', tolerationSeconds: 30 }],
      bindingConditions: ['example.com/ready'],
      bindingFailureConditions: ['example.com/failed'],
      skipNodeOperations: ['NodePrepareResources', 'NodeUnprepareResources'],
      consumedCapacity: { memory: '1Gi' },
      shareID: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    }),
    allocationTimestamp: '2026-01-02T03:04:05Z',
  },
  reservedFor: [{ apiGroup: 'example.com', resource: 'things', name: 'one', uid: '00000000-0000-4000-8000-000000000001' }],
  devices: [deviceStatus({
    shareID: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    conditions: [{ type: 'Ready', status: 'True', reason: 'Tried', message: 'x', lastTransitionTime: '2026-01-02T03:04:05Z', observedGeneration: 1 }],
    data: { serial: 9007199254740993n },
    networkData: { interfaceName: 'eth1', ips: ['192.0.2.1/24', '2001:db8::1/64'], hardwareAddress: '00:00:5e:00:53:01' },
  })],
};

async function compareStatus(trial: Trial): Promise<void> {
  const made = await trial.create(RESOURCE_CLAIMS, claim());
  const answer = await trial.client.update(RESOURCE_CLAIMS, { ...made, status: STATUS }, { subresource: 'status', dryRun: true });
  judgeAll(trial, fieldFates({ status: STATUS }, answer, 'resource.v1.ResourceClaim'), 'resource.v1.');
}

async function compareSample(trial: Trial, { resource, definition, object, requires = [] }: Sample): Promise<void> {
  const kind = trial.target.kindSupport(resource.kind);
  if (!kind.supported) return trial.notApplicable(`${resource.kind} is off here${kind.gate === undefined ? '' : `: ${kind.gate}`}`);
  const prefix = definition.slice(0, definition.lastIndexOf('.') + 1);
  const off = requires.filter(([type, field]) => !predicted(trial, prefix, type, field).isStored);
  let answer;
  try {
    answer = await trial.tryCreate(resource, object);
  } catch (error) {
    if (isApiError(error) && error.status === 404) return trial.notApplicable(`${resource.kind} is not served in ${resource.version}`);
    if (!isApiError(error) || off.length === 0) throw error;
    return trial.notApplicable(`refused because ${off.map((field) => field.join('.')).join(', ')} is off here: ${error.message}`);
  }
  judgeAll(trial, fieldFates(object, answer, definition), prefix);
}

function judgeAll(trial: Trial, fates: readonly FieldFate[], prefix: string): void {
  const dropped = new Map<string, string>();
  const ignored: string[] = [];
  for (const { definition, field, path, fate } of fates) {
    const name = `${definition}.${field}`;
    const { isStored, because } = predicted(trial, prefix, definition, field);
    if (fate === 'changed') trial.faults.push(`${path} came back changed`);
    else if (fate === 'dropped' && isStored) trial.faults.push(`${path} was dropped; known as kept here`);
    else if (fate === 'dropped') dropped.set(name, because);
    else if (!isStored && isKeptWithoutGate(trial, name)) ignored.push(path);
    else if (!isStored && !ignored.some((above) => path.startsWith(above))) trial.faults.push(`${path} was kept; known as dropped here${because}`);
  }
  for (const [name, because] of dropped) trial.note(`${name} is dropped${because}`);
  for (const path of ignored) trial.note(`${path} is kept without effect`);
}

function isKeptWithoutGate({ facts }: Trial, name: string): boolean {
  return KEPT_WITHOUT_GATE.some((kept) => kept.name === name && isFieldIn(kept, facts.programMinor));
}

/** What the API server does with a field; other components may ignore what it keeps. */
function predicted(trial: Trial, prefix: string, definition: string, field: string): { readonly isStored: boolean; readonly because: string } {
  const { target, facts } = trial;
  const support = target.fieldSupport(definition, field);
  const known = DEFINITIONS[`${prefix}${definition}`]?.[field];
  if (known !== undefined && !isFieldIn(known, facts.programMinor)) return { isStored: false, because: `: Kubernetes ${facts.programMinor} does not have it` };
  if (support.supported) return { isStored: true, because: '' };
  const atServer = isOffAtServer(support);
  return { isStored: !atServer, because: support.gate === undefined ? `: not in Kubernetes ${trial.minor}` : `: gate ${support.gate} is off` };
}

function isOffAtServer({ offAt }: Unsupported): boolean {
  return offAt.length === 0 || offAt.includes('kube-apiserver');
}
