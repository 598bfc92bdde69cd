import type { KubeObject } from '../../kube/object.js';
import { DEVICE_CLASSES, RESOURCE_CLAIMS, RESOURCE_QUOTAS } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Contract } from '../contract.js';
import { alternative, alternatives, claim, deviceClass, DRIVER, exactly } from '../manifests.js';
import type { Fields } from '../manifests.js';
import type { Trial } from '../trial.js';

const NEEDS = [...need(RESOURCE_QUOTAS, ['create', 'get', 'delete']), ...need(RESOURCE_CLAIMS, ['create', 'delete'])];
const DEVICES = `${DRIVER}.deviceclass.resource.k8s.io/devices`;

export const QUOTA_CONTRACTS: readonly Contract[] = [
  {
    id: 'quota-devices',
    area: 'Quota',
    title: 'a quota on the devices of a class counts counts, and mode All as 32',
    why: 'Tenants are given devices by this key.',
    mode: 'live',
    effect: 'creates',
    needs: NEEDS,
    run: async (trial) => withQuota(trial, { [DEVICES]: '2' }, async () => {
      await trial.accepts('two devices', tryClaim(trial, [exactly('device', { count: 2 })]));
      await trial.refuses('three devices', tryClaim(trial, [exactly('device', { count: 3 })]), 'exceeded quota', `requested: ${DEVICES}=3`, 'limited: ');
      await trial.refuses('all devices', tryClaim(trial, [exactly('device', { allocationMode: 'All' })]), 'exceeded quota', `requested: ${DEVICES}=32`);
    }),
  },
  {
    id: 'quota-alternatives',
    area: 'Quota',
    title: 'of alternatives in one class, the largest counts',
    why: 'An offer with alternatives is counted by its dearest one.',
    mode: 'live',
    effect: 'creates',
    needs: NEEDS,
    run: async (trial) => {
      trial.requires('DeviceRequest', 'firstAvailable');
      await withQuota(trial, { [DEVICES]: '2' }, async () => {
        const choice = (...counts: readonly number[]): readonly Fields[] => [alternatives('device', ...counts.map((count, index) => alternative(`choice${index}`, { count })))];
        await trial.accepts('two or one', tryClaim(trial, choice(2, 1)));
        await trial.refuses('one or three', tryClaim(trial, choice(1, 3)), 'exceeded quota', `requested: ${DEVICES}=3`);
      });
    },
  },
  {
    id: 'quota-claims',
    area: 'Quota',
    title: 'a quota on the number of claims counts them from creation',
    why: 'A claim nobody uses holds its share of the quota.',
    mode: 'live',
    effect: 'creates',
    needs: NEEDS,
    run: async (trial) => withQuota(trial, { 'count/resourceclaims.resource.k8s.io': '1' }, async (quota) => {
      const used = (quota.status as { readonly used?: Readonly<Record<string, string>> }).used?.['count/resourceclaims.resource.k8s.io'];
      trial.equal('claims in use', used, '0');
      const made = await trial.create(RESOURCE_CLAIMS, claim());
      await trial.refuses('a second claim', tryClaim(trial, [exactly('device')]), 'exceeded quota');
      await trial.remove(RESOURCE_CLAIMS, made);
    }),
  },
  {
    id: 'quota-extended-resource',
    area: 'Quota',
    title: 'a quota on the extended resource of a class, own or implicit, counts its claims too, once the class exists',
    why: 'One quota can hold over both paths while a pool moves; claims made before the class slip through.',
    since: '1.36',
    mode: 'live',
    effect: 'creates',
    needs: [...NEEDS, ...need(DEVICE_CLASSES, ['create', 'delete'])],
    run: async (trial) => {
      trial.requiresGate('DRAExtendedResource', 'kube-apiserver');
      const [bridged, plain] = [trial.name(DEVICE_CLASSES), trial.name(DEVICE_CLASSES, 'plain')];
      const extendedResourceName = `conformance.example.com/${bridged}`;
      await trial.create(DEVICE_CLASSES, { metadata: { name: bridged }, ...deviceClass({ extendedResourceName }) });
      await trial.create(DEVICE_CLASSES, { metadata: { name: plain }, ...deviceClass() });
      const implicit = (className: string): string => `requests.deviceclass.resource.kubernetes.io/${className}`;
      const two = (deviceClassName: string): readonly Fields[] => [exactly('device', { deviceClassName, count: 2 })];
      for (const [key, className] of [[`requests.${extendedResourceName}`, bridged], [implicit(bridged), bridged], [implicit(plain), plain]] as const) {
        await withQuota(trial, { [key]: '1' }, async () => {
          // The mapping of classes is read from a cache.
          await trial.pause(500);
          await trial.accepts(`one device under ${key}`, tryClaim(trial, [exactly('device', { deviceClassName: className })]));
          await trial.refuses(`two devices under ${key}`, tryClaim(trial, two(className)), 'exceeded quota', `requested: ${key}=2`);
        });
      }
      await withQuota(trial, { [implicit(DRIVER)]: '1' }, async () => {
        await trial.accepts('two devices of a class that does not exist', tryClaim(trial, two(DRIVER)));
      });
    },
  },
];

function tryClaim(trial: Trial, requests: readonly Fields[]): Promise<KubeObject> {
  const object = { ...claim({ requests }), metadata: { name: trial.name(RESOURCE_CLAIMS, 'tried') } };
  return trial.tryCreate(RESOURCE_CLAIMS, object);
}

/** Admission refuses everything until the quota controller has counted; claims of contracts before may still be counted. */
async function withQuota(trial: Trial, hard: Readonly<Record<string, string>>, work: (quota: KubeObject) => Promise<void>): Promise<void> {
  const made = await trial.create(RESOURCE_QUOTAS, { spec: { hard } });
  const ready = await trial.eventually('the count of the quota', async () => {
    const quota = await trial.client.get(RESOURCE_QUOTAS, trial.nameOf(made));
    const { used } = (quota.status ?? {}) as { readonly used?: Readonly<Record<string, string>> };
    return used !== undefined && Object.keys(hard).every((key) => used[key] === '0') ? quota : undefined;
  });
  if (ready !== undefined) await work(ready);
  await trial.remove(RESOURCE_QUOTAS, made);
}
