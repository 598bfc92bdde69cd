import { strict } from 'cdk8s-dra/model';

import type { ClaimRecord } from './claim-record.js';
import type { RecordFormat } from './record-format.js';
import type { JsonObject } from '../../../devices/json.js';

const text = strict.text({ max: 4096 });
const shortText = strict.text({ min: 1, max: 253 });
const texts = strict.list(text, { max: 1024 });
const json = strict.record(strict.json());
const count = strict.whole({ min: 0 });
const quantities = strict.record(text);

const edits = strict.object({
  env: strict.optional(texts),
  deviceNodes: strict.optional(strict.list(strict.object({
    path: text,
    hostPath: strict.optional(text),
    type: strict.optional(strict.oneOf('b', 'c')),
    major: strict.optional(count),
    minor: strict.optional(count),
    permissions: strict.optional(text),
  }))),
  mounts: strict.optional(strict.list(strict.object({ hostPath: text, containerPath: text, options: texts, type: strict.optional(text) }))),
  hooks: strict.optional(strict.list(strict.object({
    hookName: strict.oneOf('createContainer', 'createRuntime', 'poststart', 'poststop', 'prestart', 'startContainer'),
    path: text,
    args: strict.optional(texts),
    env: strict.optional(texts),
    timeout: strict.optional(count),
  }))),
  additionalGids: strict.optional(strict.list(count)),
});

const device = strict.object({
  device: shortText,
  pool: shortText,
  identity: text,
  parts: texts,
  requests: texts,
  shareId: strict.optional(shortText),
  consumedCapacity: quantities,
  consumesCounters: strict.list(strict.object({ counterSet: shortText, counters: strict.record(strict.object({ value: text })) })),
  adminAccess: strict.flag(),
  intent: json,
  prepared: strict.optional(strict.object({
    edits,
    vendorCdiDevices: texts,
    state: json,
    networkData: strict.optional(strict.object({
      interfaceName: strict.optional(text), hardwareAddress: strict.optional(text), ips: strict.optional(texts),
    })),
  })),
  unclean: strict.optional(strict.object({ code: shortText, message: text, since: shortText })),
});

const body = strict.object({
  uid: shortText,
  namespace: shortText,
  name: shortText,
  holds: texts,
  podClaimName: strict.optional(shortText),
  state: strict.oneOf('preparing', 'prepared', 'adopted', 'releasing'),
  bootId: shortText,
  since: shortText,
  devices: strict.list(device, { max: 64 }),
});

export const FORMAT_1: RecordFormat = {
  format: 1,
  encode: (record) => {
    const { uid, namespace, name, ...rest } = record;
    return { uid, namespace, name, holds: holdsOf(record), ...rest } as unknown as JsonObject;
  },
  decode: (value) => {
    const result = strict.decode(body, value);
    if ('problems' in result) throw new Error(result.problems.map(({ path, rule }) => `${strict.fieldName(path)} ${rule}`).join('; '));
    const { holds, ...record } = result.value;
    if (JSON.stringify(holds) !== JSON.stringify(holdsOf(record as ClaimRecord))) throw new Error('its list of devices and its devices differ');
    return record as ClaimRecord;
  },
};

/** Devices that nobody else may have; monitoring access holds nothing. */
function holdsOf({ devices }: ClaimRecord): string[] {
  return [...new Set(devices.filter(({ adminAccess }) => !adminAccess).map(({ device: name }) => name))].sort();
}
