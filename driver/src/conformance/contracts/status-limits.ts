import { limitIn, LIMITS } from 'cdk8s-dra/model';
import type { LimitKey } from 'cdk8s-dra/model';
import { RESOURCE_CLAIMS } from '../../kube/resource.js';
import type { Contract } from '../contract.js';
import { allocation, claim, consumers, deviceStatus, exactly, opaque, times } from '../manifests.js';
import type { Fields } from '../manifests.js';
import { ALLOCATION_NEEDS, allocatedClaim, writeStatus } from './allocated-claim.js';

interface StatusLimit {
  readonly limit: LimitKey;
  readonly gated?: readonly [definition: string, field: string];
  /** Status with so many of what is limited. */
  status(count: number): Fields;
}

const STATUS_LIMITS: readonly StatusLimit[] = [
  { limit: 'consumers', status: (n) => ({ allocation: allocation(), reservedFor: consumers(n) }) },
  {
    limit: 'deviceStatusConditions',
    status: (n) => withDevice({
      conditions: times(n, (i) => ({ type: `Ready${i}`, status: 'True', reason: 'Tried', message: '', lastTransitionTime: '2026-01-02T03:04:05Z' })),
    }),
    gated: ['ResourceClaimStatus', 'devices'],
  },
  { limit: 'deviceStatusDataBytes', status: (n) => withDevice({ data: { text: 'x'.repeat(n - '{"text":""}'.length) } }), gated: ['ResourceClaimStatus', 'devices'] },
  {
    limit: 'networkIps', status: (n) => withDevice({ networkData: { ips: times(n, (i) => `192.0.2.${i}/32`) } }), gated: ['ResourceClaimStatus', 'devices'],
  },
  {
    limit: 'networkInterfaceNameBytes', status: (n) => withDevice({ networkData: { interfaceName: 'x'.repeat(n) } }), gated: ['ResourceClaimStatus', 'devices'],
  },
  {
    limit: 'networkHardwareAddressBytes',
    status: (n) => withDevice({ networkData: { hardwareAddress: 'x'.repeat(n) } }),
    gated: ['ResourceClaimStatus', 'devices'],
  },
];

function withDevice(fields: Fields): Fields {
  return { allocation: allocation(), devices: [deviceStatus(fields)] };
}

export const STATUS_LIMIT_CONTRACTS: readonly Contract[] = [
  ...STATUS_LIMITS.map(({ limit, status, gated }): Contract => ({
    id: `limit-${limit.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    area: 'Limits',
    title: `the number of ${LIMITS[limit].what} has the bound that is known, and the refusal says so`,
    why: 'Drivers write this status; one that is refused leaves the claim without it.',
    mode: 'live',
    effect: 'creates',
    needs: [...ALLOCATION_NEEDS],
    run: async (trial) => {
      if (gated !== undefined) trial.requires(...gated);
      const max = limitIn(limit, trial.facts.programMinor) ?? 0;
      const made = await allocatedClaim(trial);
      await trial.accepts(`${max} ${LIMITS[limit].what}`, writeStatus(trial, made, status(max), true));
      await trial.refuses(`${max + 1} ${LIMITS[limit].what}`, writeStatus(trial, made, status(max + 1), true), 'Too', String(max));
    },
  })),
  {
    id: 'limit-results-per-claim',
    area: 'Limits',
    title: 'a claim gets at most 32 devices, and its allocation at most 64 configurations',
    why: 'Larger needs must be spread over several claims; check says so beforehand.',
    mode: 'live',
    effect: 'creates',
    needs: ALLOCATION_NEEDS,
    run: async (trial) => {
      const { resultsPerClaim, allocationConfigs } = LIMITS;
      const made = await trial.create(RESOURCE_CLAIMS, claim({ requests: [exactly('device', { count: resultsPerClaim.max + 1 })] }));
      const configs = (count: number): Fields => ({ config: times(count, () => ({ source: 'FromClass', ...opaque({ size: 1 }) })) });
      const most = allocation(resultsPerClaim.max, configs(allocationConfigs.max));
      await trial.accepts('both at the limit', writeStatus(trial, made, { allocation: most }, true));
      const devices = writeStatus(trial, made, { allocation: allocation(resultsPerClaim.max + 1) }, true);
      await trial.refuses('one device more', devices, 'Too many', String(resultsPerClaim.max));
      const configurations = writeStatus(trial, made, { allocation: allocation(1, configs(allocationConfigs.max + 1)) }, true);
      await trial.refuses('one configuration more', configurations, 'Too many', String(allocationConfigs.max));
    },
  },
];
