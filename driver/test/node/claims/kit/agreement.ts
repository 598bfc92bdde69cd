import { CDI, DATA } from './agent-under-test.js';
import type { Agent, Machine } from './agent-under-test.js';
import type { MemoryDisk } from './memory-disk.js';
import { shareKey } from '../../../../src/node/claims/record/claim-record.js';

/** Where records, CDI files, hardware and memory contradict each other; for moments in which nothing is under way. */
export function disagreements({ disk, hardware, bootId }: Machine, { claims }: Agent): readonly string[] {
  const problems: string[] = [...hardware.violations];
  const files = claimFiles(disk);
  const onDisk = files.filter((file) => /^[a-z0-9-]+(\.releasing)?\.json$/.test(file)).map((file) => file.split('.')[0]!);
  const records = claims.records;
  if (onDisk.join() !== records.map(({ uid }) => uid).sort().join()) problems.push(`records on disk: ${onDisk.join()}; in memory: ${records.map(({ uid }) => uid).join()}`);
  problems.push(...files.filter((file) => file.endsWith('.tmp')).map((file) => `${file} is left over`));
  const ready = hardware.ready();
  for (const record of records) {
    for (const { device, shareId, adminAccess } of record.devices) {
      const key = shareKey({ device: record.uid, ...(shareId === undefined ? {} : { shareId }) });
      const isReady = ready[device]?.includes(key) ?? false;
      if (record.state === 'prepared' && record.bootId === bootId && !adminAccess && !isReady) problems.push(`${record.uid} is prepared, but ${device} is not`);
    }
  }
  for (const [device, keys] of Object.entries(ready)) {
    for (const key of keys) {
      const uid = key.split('/')[0]!;
      const owner = records.find((record) => record.uid === uid);
      const isLeftOver = files.some((file) => file.startsWith(`${uid}.${device}.`) && file.endsWith('.unclean.json'));
      if (!isLeftOver && !owner?.devices.some((used) => used.device === device)) problems.push(`${device} is ready for ${key}, of which no record tells`);
    }
  }
  const withCdi = disk.under(CDI).map((file) => /_(.*)\.json$/.exec(file)?.[1] ?? file).sort();
  const prepared = records.filter((record) => record.state === 'prepared' && record.bootId === bootId).map(({ uid }) => uid).sort();
  if (withCdi.join() !== prepared.join()) problems.push(`CDI files: ${withCdi.join()}; prepared: ${prepared.join()}`);
  return problems;
}

/** All but those that the agent keeps to write them anew, which go when it ends. */
export function claimFiles(disk: MemoryDisk): readonly string[] {
  return disk.under(`${DATA}/claims`).filter((file) => !SPARE.test(file));
}

export const SPARE = /^\.spare\.[0-9a-f]{8}\.tmp$/;

/** Devices that something was done to for a claim of which no record tells: nobody would undo it. */
export function forgotten({ hardware, disk }: Machine, { claims }: Agent): readonly string[] {
  const files = disk.under(`${DATA}/claims`);
  return Object.entries(hardware.setUp()).flatMap(([device, keys]) => keys.filter((key) => {
    const uid = key.split('/')[0]!;
    const isKnown = claims.records.some((record) => record.uid === uid && record.devices.some((used) => used.device === device));
    return !isKnown && !files.some((file) => file.startsWith(`${uid}.${device}.`) && file.endsWith('.unclean.json'));
  }).map((key) => `${device} is set up for ${key}, of which no record tells`));
}

/** Whatever is left of claims that were all given back. */
export function remains({ disk, hardware }: Machine, { claims }: Agent): readonly string[] {
  return [
    ...hardware.violations,
    ...hardware.touched.map((device) => `${device} is not as it came`),
    ...[...claimFiles(disk), ...disk.under(CDI)].map((file) => `${file} is left over`),
    ...claims.records.map(({ uid }) => `${uid} is still in the account`),
    ...claims.held.current.map(({ device }) => `${device} is still held`),
  ];
}
