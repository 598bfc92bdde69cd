import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { textTable } from './text-table.js';
import { LocalFileSystem } from '../../node/claims/record/file-system.js';
import { QuarantineFolder } from '../../node/claims/record/quarantine-folder.js';
import { RecordFolder } from '../../node/claims/record/record-folder.js';
import { RecordCodec } from '../../node/claims/record/record-format.js';
import { UsageError } from '../command.js';

/** The records in a data folder, as they lie there. */
export interface ReadRecords {
  readonly folder: string;
  readonly claims: readonly RecordedClaim[];
  /** Files that no agent reads, and whose devices are held. */
  readonly setAside: readonly { readonly file: string; readonly reason: string }[];
  readonly findings: readonly string[];
}

export interface RecordedClaim {
  readonly file: string;
  readonly uid: string;
  readonly claim: string;
  /** Of the record, or what its file name says; `unreadable` for a record that the next agent sets aside. */
  readonly state: string;
  readonly devices: readonly string[];
  readonly since: string;
  readonly bootId: string;
}

/** Reads only; an agent may be at work meanwhile. */
export async function readRecords(folder: string): Promise<ReadRecords> {
  if (!existsSync(join(folder, 'claims'))) {
    throw new UsageError(`${folder} has no folder 'claims'. Name the data folder of an agent, such as /var/lib/kubelet/plugins/gpu.cdk8s-dra.dev.`);
  }
  const [files, codec] = [new LocalFileSystem(), new RecordCodec()];
  const { records: found, others } = await new RecordFolder(files, folder, codec).readAll();
  const claims = found.map(({ file, name, decoded }): RecordedClaim => {
    if (!('record' in decoded)) return { file, uid: name.uid, claim: '', state: 'unreadable', devices: [], since: '', bootId: '' };
    const { uid, namespace, name: claim, state, devices, since, bootId } = decoded.record;
    return {
      file,
      uid,
      claim: `${namespace}/${claim}`,
      state: name.kind === 'claim' ? state : name.kind,
      devices: devices.map(({ device, shareId }) => (shareId === undefined ? device : `${device}/${shareId}`)),
      since,
      bootId,
    };
  });
  const quarantined = existsSync(join(folder, 'quarantine')) ? await new QuarantineFolder(files, folder, codec).readAll() : [];
  const setAside = quarantined.map(({ file, decoded }) => ({ file, reason: 'message' in decoded ? decoded.message : 'readable again' }));
  return {
    folder,
    claims,
    setAside,
    findings: [
      ...claims.filter(({ state }) => state === 'unreadable').map(({ file }) => `claims/${file} cannot be read; the next agent sets it aside`),
      ...claims.filter(({ state }) => state === 'unclean').map(({ devices, claim }) => `${devices.join(', ')} could not be cleaned after claim ${claim}`),
      ...setAside.map(({ file, reason }) => `quarantine/${file}: ${reason}`),
      ...others.map((file) => `claims/${file} is no record`),
    ],
  };
}

export function recordsText({ folder, claims, setAside }: ReadRecords): string {
  const rows = claims.map(({ claim, state, devices, since, uid }) => [claim === '' ? '?' : claim, state, devices.join(' '), since, uid]);
  return [
    `${folder}: ${claims.length} ${claims.length === 1 ? 'record' : 'records'}, ${setAside.length} set aside\n`,
    claims.length === 0 ? '' : `\n${textTable(['CLAIM', 'STATE', 'DEVICES', 'SINCE', 'UID'], rows)}`,
  ].join('');
}
