import { compareMinors } from 'cdk8s-dra/model';

import { apiVersionOf, DEVICE_CLASSES, NAMESPACES, NODES, PODS, RESOURCE_CLAIMS, TAINT_RULES } from '../../kube/resource.js';
import type { Contract } from '../contract.js';
import { alternative, alternatives, CONTAINER_POLICY } from '../manifests.js';
import type { Fields } from '../manifests.js';
import { devices, lab } from './lab-contract.js';
import { Laboratory } from './laboratory.js';

export const LAB_ALLOCATION_CONTRACTS: readonly Contract[] = [
  lab({
    id: 'mode-exact',
    area: 'Allocation',
    title: 'a count gets so many devices, and a device is given to one claim only',
    why: 'The base of all else.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(3));
      const first = await place.pair('one', { count: 2 });
      await place.bound(first.pod);
      trial.equal('the number of devices', new Set(await place.devices(first.claim)).size, 2);
      const second = await place.pair('two', { count: 2 });
      await place.pending(second.pod, 'cannot allocate all claims');
      await trial.remove(PODS, first.pod);
      await place.bound(second.pod);
    },
  }),
  lab({
    id: 'mode-all',
    area: 'Allocation',
    title: 'mode All gets every device of the node, and waits while one is in use',
    why: 'Whole-node offers rely on it.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(devices(3));
      const one = await place.pair('one');
      await place.bound(one.pod);
      const all = await place.pair('all', { allocationMode: 'All' });
      await place.pending(all.pod, 'cannot allocate all claims');
      await trial.remove(PODS, one.pod);
      await place.bound(all.pod);
      trial.equal('the devices', [...await place.devices(all.claim)].sort(), ['device0', 'device1', 'device2']);
    },
  }),
  lab({
    id: 'alternatives',
    area: 'Allocation',
    title: 'of alternatives the first that fits is taken, and the result names request and alternative',
    why: 'Offers with a fallback.',
    run: async (trial) => {
      trial.requires('DeviceRequest', 'firstAvailable');
      const place = await Laboratory.open(trial);
      await place.publish(devices(2));
      const requests = [alternatives('device', alternative('many', { deviceClassName: place.className, count: 3 }), alternative('few', { deviceClassName: place.className, count: 2 }))];
      const claim = await trial.create(RESOURCE_CLAIMS, { spec: { devices: { requests } } });
      await place.bound(await place.pod('one', [claim]));
      trial.equal('the requests of the results', (await place.allocated(claim))?.results.map(({ request }) => request), ['device/few', 'device/few']);
    },
  }),
  lab({
    id: 'order',
    area: 'Allocation',
    title: 'devices are taken in the order in which they are listed',
    why: 'Drivers pack by the order of their devices.',
    since: '1.36',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish(['c', 'a', 'b'].map((name) => ({ name })));
      const { claim, pod } = await place.pair('one', { count: 2 });
      await place.bound(pod);
      trial.equal('the devices', await place.devices(claim), ['c', 'a']);
    },
  }),
  lab({
    id: 'match-attribute',
    area: 'Allocation',
    title: 'matchAttribute takes devices with one value only',
    why: 'Devices on one switch or one NUMA node.',
    run: async (trial) => {
      const place = await Laboratory.open(trial);
      await place.publish([['a', 1], ['b', 2], ['c', 2]].map(([name, group]) => ({ name, attributes: { group: { int: group } } })));
      const { claim, pod } = await place.pair('one', { count: 2 }, { constraints: [{ requests: ['device'], matchAttribute: `${place.driver}/group` }] });
      await place.bound(pod);
      trial.equal('the devices', [...await place.devices(claim)].sort(), ['b', 'c']);
    },
  }),
  lab({
    id: 'taint',
    area: 'Allocation',
    title: 'a tainted device goes only to claims that tolerate the taint; the toleration of a pod does not help',
    why: 'Sick devices and frozen pools are tainted.',
    run: async (trial) => {
      trial.requires('Device', 'taints');
      const place = await Laboratory.open(trial);
      await place.publish(devices(1, { taints: [{ key: 'example.com/sick', value: 'yes', effect: 'NoSchedule' }] }));
      const plain = await place.pair('plain');
      await place.pending(plain.pod, 'cannot allocate all claims');
      const tolerant = await place.pair('tolerant', { tolerations: [{ key: 'example.com/sick', operator: 'Equal', value: 'yes', effect: 'NoSchedule' }] });
      await place.bound(tolerant.pod);
    },
  }),
  lab({
    id: 'counters',
    area: 'Allocation',
    title: 'devices that share counters are taken only as far as the counters reach',
    why: 'Partitions of one device.',
    run: async (trial) => {
      trial.requires('Device', 'consumesCounters');
      const place = await Laboratory.open(trial);
      const counters = { name: 'card', counters: { memory: { value: '40Gi' } } };
      const parts = ['whole', 'half0', 'half1'].map((name) => ({
        name, attributes: { whole: { bool: name === 'whole' } }, consumesCounters: [{ counterSet: 'card', counters: { memory: { value: name === 'whole' ? '40Gi' : '20Gi' } } }],
      }));
      if (compareMinors(trial.facts.programMinor, '1.35') >= 0) {
        await place.publish(undefined, { suffix: 'counters', pool: { resourceSliceCount: 2 }, spec: { sharedCounters: [counters] } });
        await place.publish(parts, { pool: { resourceSliceCount: 2 } });
      } else {
        await place.publish(parts, { spec: { sharedCounters: [counters] } });
      }
      const half = await place.pair('half', { selectors: [{ cel: { expression: `!device.attributes["${place.driver}"].whole` } }] });
      await place.bound(half.pod);
      const whole = await place.pair('whole', { selectors: [{ cel: { expression: `device.attributes["${place.driver}"].whole` } }] });
      await place.pending(whole.pod, 'cannot allocate all claims');
      const other = await place.pair('other', { selectors: [{ cel: { expression: `!device.attributes["${place.driver}"].whole` } }] });
      await place.bound(other.pod);
    },
  }),
  lab({
    id: 'shares',
    area: 'Allocation',
    title: 'a device that may be shared is given to several claims, each with a share id and an amount rounded up, as far as its capacity reaches',
    why: 'Offers by memory or bandwidth.',
    run: async (trial) => {
      trial.requires('Device', 'allowMultipleAllocations');
      const place = await Laboratory.open(trial);
      await place.publish(devices(1, {
        allowMultipleAllocations: true, capacity: { memory: { value: '10Gi', requestPolicy: { default: '1Gi', validRange: { min: '1Gi', step: '1Gi' } } } },
      }));
      const share = (suffix: string, memory: string) => place.pair(suffix, { capacity: { requests: { memory } } });
      const first = await share('one', '5500Mi');
      await place.bound(first.pod);
      const [result] = (await place.allocated(first.claim))?.results ?? [];
      trial.expect(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(result?.shareID ?? ''), `the share id is ${result?.shareID ?? 'absent'}`);
      trial.equal('the amount', result?.consumedCapacity?.memory, '6Gi');
      const second = await share('two', '4Gi');
      await place.bound(second.pod);
      const third = await share('three', '1Gi');
      await place.pending(third.pod, 'cannot allocate all claims');
    },
  }),
  lab({
    id: 'admin-access',
    area: 'Allocation',
    title: 'admin access gets a device in use and does not keep others from it',
    why: 'Monitoring must not cost devices; holders must count it all the same.',
    run: async (trial) => {
      trial.requires('ExactDeviceRequest', 'adminAccess');
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const label = (value: string | null) => trial.client.patch(NAMESPACES, { name: trial.namespace }, { merge: { metadata: { labels: { 'resource.kubernetes.io/admin-access': value } } } });
      await label('true');
      const admin = await trial.eventually('that a claim with admin access is accepted', () => trial.attempt(place.claim('admin', { adminAccess: true })));
      if (admin === undefined) return;
      await place.bound(await place.pod('admin', [admin]));
      const user = await place.pair('user');
      await place.bound(user.pod);
      await label(null);
    },
  }),
  lab({
    id: 'extended-resource',
    area: 'Allocation',
    title: 'a pod that asks for the extended resource of a class gets a claim from the scheduler, named in its status',
    why: 'The bridge: workloads stay as they are while a pool moves.',
    run: async (trial) => {
      trial.requiresGate('DRAExtendedResource', 'kube-scheduler');
      const resource = `conformance.example.com/${trial.name(DEVICE_CLASSES).slice(-20).replace(/^-+/, '')}`;
      const place = await Laboratory.open(trial, { extendedResourceName: resource });
      await place.publish(devices(2));
      const pod = await place.pod('one', [], askingFor(resource, 2));
      const now = await place.bound(pod);
      if (now === undefined) return;
      const status = await trial.eventually('the claim in the status of the pod', async () => {
        const { status: found } = await trial.client.get(PODS, trial.nameOf(pod));
        return (found as { readonly extendedResourceClaimStatus?: { readonly resourceClaimName: string } }).extendedResourceClaimStatus;
      });
      const name = status?.resourceClaimName ?? '';
      trial.expect(name.startsWith(`${pod.metadata?.name ?? ''}-extended-resources-`), `the claim is named ${name}`);
      const claim = await trial.client.find(RESOURCE_CLAIMS, { name, namespace: trial.namespace });
      trial.equal('the annotation', claim?.metadata?.annotations?.['resource.kubernetes.io/extended-resource-claim'], 'true');
    },
  }),
  lab({
    id: 'extended-resource-implicit',
    area: 'Allocation',
    title: 'every class can be asked for by its implicit extended resource',
    why: 'Workloads that know resources only can use any offer.',
    since: '1.35',
    run: async (trial) => {
      trial.requiresGate('DRAExtendedResource', 'kube-scheduler');
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      await place.bound(await place.pod('one', [], askingFor(`deviceclass.resource.kubernetes.io/${place.className}`, 1)));
    },
  }),
  lab({
    id: 'extended-resource-plugin-first',
    area: 'Allocation',
    title: 'on a node where a device plugin offers the extended resource, the plugin serves it and no claim is made',
    why: 'Pools can move node by node under one name.',
    run: async (trial) => {
      trial.requiresGate('DRAExtendedResource', 'kube-scheduler');
      const resource = 'conformance.example.com/plugin-first';
      const place = await Laboratory.open(trial, { extendedResourceName: resource });
      await place.publish(devices(1));
      const amounts = { [resource]: '1' };
      await trial.client.patch(NODES, { name: place.node }, { merge: { status: { capacity: amounts, allocatable: amounts } } }, { subresource: 'status' });
      await trial.pause(1000);
      const pod = await place.pod('one', [], askingFor(resource, 1));
      await place.bound(pod);
      await trial.pause(500);
      const { status } = await trial.client.get(PODS, trial.nameOf(pod));
      trial.equal('the claim in the status of the pod', (status as { readonly extendedResourceClaimStatus?: unknown }).extendedResourceClaimStatus, undefined);
    },
  }),
  lab({
    id: 'taint-rule',
    area: 'Allocation',
    title: 'a DeviceTaintRule taints the devices that it selects, and its end frees them',
    why: 'It is how devices of a foreign driver are stopped.',
    run: async (trial) => {
      const kind = trial.target.kindSupport('DeviceTaintRule');
      if (!kind.supported) trial.notApplicable(`DeviceTaintRule is off here${kind.gate === undefined ? '' : `: ${kind.gate}`}`);
      const resource = TAINT_RULES.find((one) => apiVersionOf(one) === trial.target.apiVersionOf('DeviceTaintRule'));
      if (resource === undefined) return;
      const place = await Laboratory.open(trial);
      await place.publish(devices(1));
      const stop = { spec: { deviceSelector: { driver: place.driver }, taint: { key: 'example.com/stop', effect: 'NoSchedule' } } };
      const rule = await trial.attempt(trial.create(resource, stop));
      if (rule === undefined) return trial.notApplicable(`${apiVersionOf(resource)} is not served`);
      await trial.pause(1000);
      const { pod } = await place.pair('one');
      await place.pending(pod, 'cannot allocate all claims');
      await trial.remove(resource, rule);
      await place.bound(pod);
    },
  }),
];

function askingFor(resource: string, count: number): Fields {
  const amount = { [resource]: String(count) };
  return {
    containers: [{ name: 'main', image: 'localhost/none', imagePullPolicy: 'Never', ...CONTAINER_POLICY, resources: { requests: amount, limits: amount } }],
  };
}
