import { attributeIdProblem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

import { ARRANGEMENT_FIELDS } from '../arrangement.js';
import { attributeId } from '../device-attributes.js';
import { absolutePath, attributeValue, dnsLabel, pattern, text, wholeNumber } from '../settings-fields.js';
import { rule } from '../strict-decode.js';

/** How the kernel shows an FPGA: by the device feature list framework, by XRT, or by an FPGA manager alone. */
export const FPGA_KINDS = ['dfl', 'xrt', 'manager'] as const;

export type FpgaKind = typeof FPGA_KINDS[number];

/** A configuration of the FPGA that may be loaded. Claims name the id; the file is looked up here and nowhere else. */
const image = z.strictObject({
  id: dnsLabel.check(rule((id) => (attributeId(`image_${id}`) === undefined ? {
    rule: `must make an attribute image_${id}, which ${attributeIdProblem(`image_${id}`)?.rule ?? 'is too long'}`, help: 'Use at most 26 characters.',
  } : undefined))),
  /** Name of a file in the folder of images. */
  file: z.string().check(rule((file) => (/^[A-Za-z0-9][\w.-]{0,200}$/.test(file) ? undefined : {
    rule: 'must be the name of a file, without folders', help: 'Put the file into images.folder and name it here.',
  }))),
  sha256: z.string().check(rule((sum) => (/^[0-9a-f]{64}$/.test(sum) ? undefined : {
    rule: 'must be a SHA-256 checksum in 64 lower-case hexadecimal digits', help: 'Take it from sha256sum.',
  }))),
  /** Shells that it was built for, as the attribute shellId says them. */
  shells: z.array(pattern).check(z.minLength(1)),
  /** What the FPGA says it is afterwards: afu_id, or the UUID of an xclbin. */
  functionId: z.optional(text),
  /** Nothing of a tenant is in it: loaded when a device is given back and when programming fails. */
  safe: z.optional(z.boolean()),
});

/** How an image gets into the FPGA: Node.js has no ioctl, so what the kernel offers in no file is done by a program. */
const programming = z.discriminatedUnion('by', [
  z.strictObject({
    /** The file `firmware` of the FPGA manager, where the kernel has it. */
    by: z.literal('manager'),
    /** Written to `flags` before: 0 for a full image, 1 for a partial one. */
    flags: z.optional(z.enum(['0', '1'])),
    timeoutSeconds: z.optional(wholeNumber.check(z.minimum(1), z.maximum(3600))),
  }),
  z.strictObject({
    by: z.literal('command'),
    /** Program and arguments, run without a shell. `{file}`, `{address}`, `{port}` and `{manager}` are filled in. */
    command: z.array(text).check(z.minLength(1), z.maxLength(64)),
    timeoutSeconds: z.optional(wholeNumber.check(z.minimum(1), z.maximum(3600))),
  }),
]);

/** The settings of the FPGA backend. */
export const FPGA_SETTINGS = z.strictObject({
  backend: z.literal('fpga'),
  ...ARRANGEMENT_FIELDS,
  kinds: z.optional(z.array(z.enum(FPGA_KINDS)).check(z.minLength(1))),
  images: z.optional(z.strictObject({
    folder: absolutePath,
    allowed: z.array(image).check(z.minLength(1)),
  })),
  programming: z.optional(z.strictObject({ dfl: z.optional(programming), xrt: z.optional(programming), manager: z.optional(programming) })),
  /** Device nodes that containers get with an FPGA of kind `manager`, such as /dev/uio0: the kernel does not say which belong to it. */
  managerNodes: z.optional(z.array(absolutePath).check(z.maxLength(32))),
  /** Added to every device. */
  attributes: z.optional(z.record(z.string().check(rule(attributeIdProblem)), attributeValue)),
}).check(rule((settings) => {
  const { images, programming: ways } = settings;
  if ((images === undefined) !== (ways === undefined)) return { rule: 'must have images and programming together', help: 'Add what is missing, or remove both for FPGAs with a fixed function.' };
  if (images === undefined) return undefined;
  const ids = images.allowed.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) return { rule: `must have each image once, but has ${twice} twice`, help: 'Rename one.' };
  if (!images.allowed.some(({ safe }) => safe === true)) return { rule: 'must have a safe image among images.allowed', help: 'Mark the one with safe: true that is loaded between two tenants.' };
  const byManager = Object.values(ways ?? {}).some((way) => way?.by === 'manager');
  return byManager && !/^\/lib\/firmware\//.test(`${images.folder}/`) ? {
    rule: 'must keep images below /lib/firmware when an FPGA manager loads them', help: 'The kernel looks for them there.',
  } : undefined;
}));

export type FpgaSettings = z.infer<typeof FPGA_SETTINGS>;
export type FpgaImage = z.infer<typeof image>;
export type ProgrammingSettings = z.infer<typeof programming>;
