import { isClaimUid } from './claim-uid.js';

/**
 * What a file in the folder is about.
 *
 * - `<uid>.json`: a claim.
 * - `<uid>.releasing.json`: a claim on its way out. The same file under another name, so that the step needs no room on a full disk.
 * - `<uid>.<device>.unclean.json`: a device that a claim left behind and that could not be cleaned; with a share, `<uid>.<device>.<share>.unclean.json`.
 */
export type RecordName =
  | { readonly kind: 'claim' | 'releasing'; readonly uid: string }
  | { readonly kind: 'unclean'; readonly uid: string; readonly device: string; readonly shareId?: string };

/** The name under which a record stands in the folder. */
export function fileName(name: RecordName): string {
  // Whoever calls has checked before; a path must never be made from anything else.
  const parts = name.kind === 'unclean' ? [name.uid, name.device, ...(name.shareId === undefined ? [] : [name.shareId])] : [name.uid];
  for (const part of parts) if (!isClaimUid(part)) throw new Error(`'${part}' must be a DNS label to be part of the name of a record`);
  return [...parts, ...(name.kind === 'claim' ? [] : [name.kind]), 'json'].join('.');
}

/** Undefined for what is no name of a record. */
export function recordName(file: string): RecordName | undefined {
  if (!file.endsWith('.json')) return undefined;
  const parts = file.split('.').slice(0, -1);
  const kind = parts.length > 1 ? parts.pop() : 'claim';
  const [uid = '', device, shareId, ...more] = parts;
  if (!parts.every(isClaimUid) || more.length > 0) return undefined;
  if ((kind === 'claim' || kind === 'releasing') && device === undefined) return { kind, uid };
  if (kind !== 'unclean' || device === undefined) return undefined;
  return { kind, uid, device, ...(shareId === undefined ? {} : { shareId }) };
}
