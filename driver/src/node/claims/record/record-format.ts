import { createHash } from 'node:crypto';

import type { ClaimRecord } from './claim-record.js';
import { FORMAT_1 } from './record-format-1.js';
import { salvage } from './salvage.js';
import type { Salvage } from './salvage.js';
import type { JsonObject } from '../../../devices/json.js';

/** One way to write a record down. A new one may add and drop fields, but `uid`, `namespace`, `name` and `holds` stay where they are. */
export interface RecordFormat {
  readonly format: number;
  /** Begins with the four fields that every format has. */
  encode(record: ClaimRecord): JsonObject;
  /** Throws an Error that says what is wrong; unknown fields are wrong. */
  decode(body: unknown): ClaimRecord;
}

/** What a file turned out to be. */
export type Decoded =
  | { readonly record: ClaimRecord; readonly format: number }
  | { readonly problem: 'damaged' | 'newer'; readonly message: string; readonly salvage: Salvage };

/** More than any claim needs: 32 devices with edits, state and intent. */
export const MAX_RECORD_BYTES = 1024 * 1024;

/**
 * Records as bytes: `{"format":1,"sha256":"…","record":{…}}` on one line.
 *
 * The checksum covers the bytes of the record as they stand there, and the two fields before it have one spelling only, so that no changed
 * byte goes unnoticed.
 */
export class RecordCodec {
  private readonly formats: ReadonlyMap<number, RecordFormat>;
  public readonly readable: readonly number[];

  public constructor(formats: readonly RecordFormat[] = [FORMAT_1]) {
    this.formats = new Map(formats.map((format) => [format.format, format]));
    this.readable = [...this.formats.keys()].sort((a, b) => a - b);
  }

  public get newest(): number {
    return this.readable[this.readable.length - 1]!;
  }

  /** Undefined when the record is larger than a record may be. */
  public encode(record: ClaimRecord, format: number): string | undefined {
    const body = JSON.stringify(this.formats.get(format)!.encode(record));
    const text = `{"format":${format},"sha256":"${checksum(body)}","record":${body}}\n`;
    return Buffer.byteLength(text) <= MAX_RECORD_BYTES ? text : undefined;
  }

  public decode(bytes: Buffer, uid: string): Decoded {
    const text = bytes.toString('utf8');
    const damaged = (message: string): Decoded => ({ problem: 'damaged', message, salvage: salvage(text) });
    if (bytes.length === 0) return damaged('the file is empty');
    if (bytes.length > MAX_RECORD_BYTES) return damaged(`the file has more than ${MAX_RECORD_BYTES} bytes`);
    const match = ENVELOPE.exec(text);
    if (match === null) return damaged(text.endsWith('}\n') ? 'it does not begin like a record' : 'the end is missing');
    const [, format = '', sha256, body = ''] = match;
    if (checksum(body) !== sha256) return damaged('the checksum is of another content');
    const known = this.formats.get(Number(format));
    if (known === undefined) {
      const message = `format ${format} is not among those that this agent reads (${this.readable.join(', ')})`;
      return { problem: Number(format) > this.newest ? 'newer' : 'damaged', message, salvage: salvage(text) };
    }
    try {
      const record = known.decode(JSON.parse(body));
      if (record.uid !== uid) return damaged(`it is about claim ${record.uid}`);
      return { record, format: known.format };
    } catch (error) {
      return damaged(error instanceof Error ? error.message : String(error));
    }
  }
}

const ENVELOPE = /^\{"format":([1-9]\d{0,5}),"sha256":"([0-9a-f]{64})","record":(\{.*\})\}\n$/s;

function checksum(body: string): string {
  return createHash('sha256').update(body).digest('hex');
}
