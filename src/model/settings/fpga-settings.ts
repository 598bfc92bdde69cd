import { absolutePath, ARRANGEMENT_FIELDS, attributeValue, dnsLabel, pattern, words } from './settings-fields';
import { attributeIdProblem } from '../names';
import { checked, flag, list, object, oneOf, optional, record, text, variant, whole, type ReadBy } from '../strict-reader';

/** How the kernel shows an FPGA: by the device feature list framework, by XRT, or by an FPGA manager alone. */
export const FPGA_KINDS = ['dfl', 'xrt', 'manager'] as const;

export type FpgaKindName = typeof FPGA_KINDS[number];

/** The attribute that tells that an image may be loaded. */
export function imageAttribute(id: string): string {
  return `image_${id.replace(/[^A-Za-z0-9_]/g, '_')}`;
}

/** A configuration of the FPGA that may be loaded. Claims name the id; the file is looked up here and nowhere else. */
const image = object({
  id: checked(dnsLabel, id => {
    const problem = attributeIdProblem(imageAttribute(id));
    return problem && { rule: `must make an attribute image_${id}, which ${problem.rule}`, help: 'Use at most 26 characters.' };
  }),
  /** Name of a file in the folder of images. */
  file: checked(text(), file => (/^[A-Za-z0-9][\w.-]{0,200}$/.test(file) ? undefined : {
    rule: 'must be the name of a file, without folders', help: 'Put the file into images.folder and name it here.',
  })),
  sha256: checked(text(), sum => (/^[0-9a-f]{64}$/.test(sum) ? undefined : {
    rule: 'must be a SHA-256 checksum in 64 lower-case hexadecimal digits', help: 'Take it from sha256sum.',
  })),
  /** Shells that it was built for, as the attribute shellId says them. */
  shells: list(pattern, { min: 1 }),
  /** What the FPGA says it is afterwards: afu_id, or the UUID of an xclbin. */
  functionId: optional(words),
  /** Nothing of a tenant is in it: loaded when a device is given back and when programming fails. */
  safe: optional(flag()),
});

const timeoutSeconds = optional(whole({ min: 1, max: 3600 }));

const byManager = object({
  /** The file `firmware` of the FPGA manager, where the kernel has it. */
  by: oneOf('manager'),
  /** Written to `flags` before: 0 for a full image, 1 for a partial one. */
  flags: optional(oneOf('0', '1')),
  timeoutSeconds,
});

const byCommand = object({
  by: oneOf('command'),
  /** Program and arguments, run without a shell. `{file}`, `{address}`, `{port}` and `{manager}` are filled in. */
  command: list(words, { min: 1, max: 64 }),
  timeoutSeconds,
});

/** How an image gets into the FPGA: Node.js has no ioctl, so what the kernel offers in no file is done by a program. */
const programming = variant<ReadBy<typeof byManager> | ReadBy<typeof byCommand>>('by', { manager: byManager, command: byCommand });

/** The settings of the FPGA backend. */
export const FPGA_SETTINGS = checked(object({
  backend: oneOf('fpga'),
  ...ARRANGEMENT_FIELDS,
  kinds: optional(list(oneOf(...FPGA_KINDS), { min: 1 })),
  images: optional(object({ folder: absolutePath, allowed: list(image, { min: 1 }) })),
  programming: optional(object({ dfl: optional(programming), xrt: optional(programming), manager: optional(programming) })),
  /** Device nodes that containers get with an FPGA of kind `manager`, such as /dev/uio0: the kernel does not say which belong to it. */
  managerNodes: optional(list(absolutePath, { max: 32 })),
  /** Added to every device. */
  attributes: optional(record(attributeValue, attributeIdProblem)),
}), ({ images, programming: ways }) => ((images === undefined) === (ways === undefined) ? undefined : {
  rule: 'must have images and programming together', help: 'Add what is missing, or remove both for FPGAs with a fixed function.',
}), ({ images }) => {
  const ids = images?.allowed.map(({ id }) => id) ?? [];
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  return twice === undefined ? undefined : { rule: `must have each image once, but has ${twice} twice`, help: 'Rename one.' };
}, ({ images }) => (images === undefined || images.allowed.some(({ safe }) => safe === true) ? undefined : {
  rule: 'must have a safe image among images.allowed', help: 'Mark the one with safe: true that is loaded between two tenants.',
}), ({ images, programming: ways = {} }) => (
  images !== undefined && Object.values(ways).some(way => way?.by === 'manager') && !`${images.folder}/`.startsWith('/lib/firmware/') ? {
    rule: 'must keep images below /lib/firmware when an FPGA manager loads them', help: 'The kernel looks for them there.',
  } : undefined
));

export type FpgaSettings = ReadBy<typeof FPGA_SETTINGS>;
export type FpgaImageSettings = ReadBy<typeof image>;
export type ProgrammingSettings = ReadBy<typeof programming>;
