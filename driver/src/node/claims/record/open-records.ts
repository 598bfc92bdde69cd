import type { Account } from '../account.js';
import type { ClaimObserver } from '../claim-observer.js';
import type { ClaimRecord } from './claim-record.js';
import { asFailure } from '../failure.js';
import type { Quarantine } from './quarantine.js';
import type { FoundRecord, RecordFolder } from './record-folder.js';
import type { CdiFolder } from '../../cdi/cdi-folder.js';

export interface OpenOptions {
  readonly records: RecordFolder;
  readonly cdi: CdiFolder;
  readonly account: Account;
  readonly quarantine: Quarantine;
  readonly observer: ClaimObserver;
  readonly bootId: string;
}

/**
 * Learns from the disk who has what, and puts the CDI files in step with it.
 *
 * Throws a NodeFailure when the records cannot be read; a disk that cannot be written is no reason not to begin, since then nothing is taken and
 * what is held stays so.
 */
export async function openRecords(options: OpenOptions): Promise<void> {
  const { records, account, quarantine, observer, bootId } = options;
  await records.open(bootId);
  const before = await records.exchangeBoot(bootId).catch((error: unknown) => tell(observer, error));
  await quarantine.restoreReadable();
  const { records: found, others } = await records.readAll();
  for (const file of others) observer.noticed({ message: `file claims/${file} is no record and is left alone` });
  account.clear();
  const damaged = sort(found, account);
  const boot = before ?? bootId;
  await quarantine.setAside(damaged, boot);
  const cdiUids = await openCdi(options, before !== undefined && before !== bootId);
  // What could not be moved is still there.
  const left = damaged.length === 0 ? [] : (await records.readAll()).records.filter(({ file }) => damaged.some((one) => one.file === file));
  await quarantine.look(cdiUids, left);
  await records.beginJournal(bootId).catch((error: unknown) => tell(observer, error));
}

/** Puts what can be read into the account and returns the rest. */
function sort(found: readonly FoundRecord[], account: Account): readonly FoundRecord[] {
  const damaged: FoundRecord[] = [];
  for (const one of found) {
    const { name, decoded } = one;
    if ('problem' in decoded) {
      damaged.push(one);
    } else if (name.kind === 'unclean') {
      account.putUnclean(name, decoded.record);
    } else if (account.record(name.uid) !== undefined) {
      damaged.push({ ...one, decoded: { problem: 'damaged', message: 'the claim has another record beside it', salvage: { uid: name.uid, devices: decoded.record.devices.map(({ device }) => device), complete: true } } });
    } else {
      account.put(named(decoded.record, name.kind));
    }
  }
  return damaged;
}

/** The name says how far a claim is on its way out. */
function named(record: ClaimRecord, kind: 'claim' | 'releasing'): ClaimRecord {
  if (kind === 'releasing') return { ...record, state: 'releasing' };
  return record.state === 'releasing' ? { ...record, state: 'preparing' } : record;
}

/** One CDI file for each claim that containers may be using, and none for others of ours; the claims of files without a record. */
async function openCdi({ cdi, account, bootId, observer }: OpenOptions, isAfterReboot: boolean): Promise<readonly string[]> {
  try {
    const uids = await cdi.open();
    const orphans: string[] = [];
    for (const uid of uids) {
      const record = account.record(uid);
      if (record === undefined && !isAfterReboot) orphans.push(uid);
      // After a reboot no container is left, and device state is gone: kubelet calls before it starts one.
      else if (record === undefined || record.state === 'preparing' || record.state === 'releasing' || record.bootId !== bootId) await cdi.remove(uid);
    }
    for (const record of account.records) if (record.state === 'prepared' && record.bootId === bootId) await cdi.put(record.uid, record.devices);
    return orphans;
  } catch (error) {
    tell(observer, error);
    return [];
  }
}

function tell(observer: ClaimObserver, error: unknown): undefined {
  const { code, message } = asFailure(error, 'DRA300');
  observer.noticed({ code, message });
  return undefined;
}
