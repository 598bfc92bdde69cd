import * as z from 'zod/mini';

import type { ClaimRecord } from './claim-record.js';
import type { RecordFormat } from './record-format.js';
import type { JsonObject } from '../../../devices/json.js';
import { decode, fieldName } from '../../../devices/strict-decode.js';

const text = z.string().check(z.maxLength(4096));
const shortText = z.string().check(z.minLength(1), z.maxLength(253));
const texts = z.array(text).check(z.maxLength(1024));
const json = z.record(z.string(), z.json());
const count = z.int().check(z.minimum(0));
const quantities = z.record(z.string(), text);

const edits = z.strictObject({
  env: z.optional(texts),
  deviceNodes: z.optional(z.array(z.strictObject({
    path: text,
    hostPath: z.optional(text),
    type: z.optional(z.enum(['b', 'c'])),
    major: z.optional(count),
    minor: z.optional(count),
    permissions: z.optional(text),
  }))),
  mounts: z.optional(z.array(z.strictObject({ hostPath: text, containerPath: text, options: texts, type: z.optional(text) }))),
  hooks: z.optional(z.array(z.strictObject({
    hookName: z.enum(['createContainer', 'createRuntime', 'poststart', 'poststop', 'prestart', 'startContainer']),
    path: text,
    args: z.optional(texts),
    env: z.optional(texts),
    timeout: z.optional(count),
  }))),
  additionalGids: z.optional(z.array(count)),
});

const device = z.strictObject({
  device: shortText,
  pool: shortText,
  identity: text,
  parts: texts,
  requests: texts,
  shareId: z.optional(shortText),
  consumedCapacity: quantities,
  consumesCounters: z.array(z.strictObject({ counterSet: shortText, counters: z.record(z.string(), z.strictObject({ value: text })) })),
  adminAccess: z.boolean(),
  intent: json,
  prepared: z.optional(z.strictObject({
    edits,
    vendorCdiDevices: texts,
    state: json,
    networkData: z.optional(z.strictObject({ interfaceName: z.optional(text), hardwareAddress: z.optional(text), ips: z.optional(texts) })),
  })),
  unclean: z.optional(z.strictObject({ code: shortText, message: text, since: shortText })),
});

const body = z.strictObject({
  uid: shortText,
  namespace: shortText,
  name: shortText,
  holds: texts,
  podClaimName: z.optional(shortText),
  state: z.enum(['preparing', 'prepared', 'adopted', 'releasing']),
  bootId: shortText,
  since: shortText,
  devices: z.array(device).check(z.maxLength(64)),
});

export const FORMAT_1: RecordFormat = {
  format: 1,
  encode: (record) => {
    const { uid, namespace, name, ...rest } = record;
    return { uid, namespace, name, holds: holdsOf(record), ...rest } as unknown as JsonObject;
  },
  decode: (value) => {
    const result = decode(body, value);
    if ('problems' in result) throw new Error(result.problems.map(({ path, rule }) => `${fieldName(path)} ${rule}`).join('; '));
    const { holds, ...record } = result.value;
    if (JSON.stringify(holds) !== JSON.stringify(holdsOf(record as ClaimRecord))) throw new Error('its list of devices and its devices differ');
    return record as ClaimRecord;
  },
};

/** Devices that nobody else may have; monitoring access holds nothing. */
function holdsOf({ devices }: ClaimRecord): string[] {
  return [...new Set(devices.filter(({ adminAccess }) => !adminAccess).map(({ device: name }) => name))].sort();
}
