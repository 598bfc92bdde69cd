// Writes src/drivers/profiles/*.ts, the typed face of the facts in src/model/drivers, and src/drivers/driver-profile.ts.
// Run: node tools/profiles/generate.mjs [--check]; with --check it writes nothing and fails when a file is not current.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOrCheck } from '../generated-files.mjs';
import { loadModel, ROOT } from '../load-model.mjs';

/** Names that Go, Python, Java or the base class already use. */
const RENAMED = { type: 'deviceType', interface: 'interfaceName', index: 'deviceIndex', range: 'rangeValue', family: 'familyName', virtual: 'isVirtual' };

/** Text of each file by path, from profiles as `src/model/drivers` exports them. */
export function profileFiles(profiles) {
  const files = new Map();
  for (const profile of profiles) files.set(`src/drivers/profiles/${profile.id}.ts`, classFile(profile));
  files.set('src/drivers/driver-profile.ts', factoryFile(profiles));
  files.set('src/drivers/profiles/index.ts', `${HEADER}${profiles.map(({ id }) => `export * from './${id}';\n`).join('')}`);
  return files;
}

const HEADER = '// Generated from src/model/drivers by tools/profiles/generate.mjs; edit the facts there.\n';

function classFile(profile) {
  const members = [
    ...current(profile.attributes).map(fact => member(profile, fact, ATTRIBUTE_TYPES[fact.type])),
    ...current(profile.capacities).map(fact => member(profile, fact, 'DeviceCapacity')),
  ];
  const byName = new Map(members.map(each => [each.name, each]));
  if (byName.size !== members.length) throw new Error(`Two members of one name in ${profile.id}: rename one in tools/profiles/generate.mjs`);
  const types = [...new Set(members.map(({ type }) => type))];
  const attributeTypes = types.filter(type => type !== 'DeviceCapacity').sort();
  return `${HEADER}${[
    attributeTypes.length > 0 ? `import type { ${attributeTypes.join(', ')} } from '../../dra/device-attribute';\n` : '',
    types.includes('DeviceCapacity') ? "import type { DeviceCapacity } from '../../dra/device-capacity';\n" : '',
    "import { KnownDriver, type DriverProfileOptions } from '../known-driver';\n",
  ].join('')}
/** Devices as driver \`${profile.driverName}\` of ${project(profile)} publishes them. */
export class ${className(profile)} extends KnownDriver {
${members.map(({ name, type, doc }) => `  /** ${doc} */\n  public readonly ${name}: ${type};\n`).join('')}
  public constructor(options: DriverProfileOptions = {}) {
    super('${profile.id}', options);
${members.map(({ name, call }) => `    this.${name} = ${call};\n`).join('')}  }
}
`;
}

const ATTRIBUTE_TYPES = { string: 'StringAttribute', int: 'IntAttribute', bool: 'BoolAttribute', version: 'VersionAttribute' };
const READERS = { StringAttribute: '_text', IntAttribute: '_whole', BoolAttribute: '_flag', VersionAttribute: '_version', DeviceCapacity: '_amount' };

function project({ read }) {
  return read.length === 0 ? 'the node agent of this project' : read[0].project;
}

/** Facts of old driver versions stay in the model for `check`; nobody should start with them. */
function current(facts) {
  return facts.filter(fact => fact.versions?.before === undefined);
}

function member(profile, fact, type) {
  const domain = fact.domain ?? profile.driverName;
  return { name: memberName(profile, fact), type, doc: documentation(profile, fact), call: `this.${READERS[type]}('${domain}', '${fact.id}')` };
}

function memberName(profile, fact) {
  const plain = fact.id[0].toLowerCase() + fact.id.slice(1);
  const name = RENAMED[plain] ?? plain;
  if (fact.domain === undefined || fact.domain === profile.driverName) return name;
  const clash = [...current(profile.attributes), ...current(profile.capacities)].some(other => other !== fact && other.id === fact.id);
  if (!clash) return name;
  const prefix = fact.domain === 'resource.kubernetes.io' ? 'standard' : fact.domain.split('.')[0];
  return prefix + name[0].toUpperCase() + name.slice(1);
}

function documentation(profile, fact) {
  const notes = [
    fact.description,
    fact.values ? `One of ${fact.values.map(value => `\`${value}\``).join(', ')}.` : `Example: \`${fact.example}\`.`,
    fact.devices ? `Only on devices of type ${fact.devices.join(', ')}.` : '',
    fact.sometimes ?? '',
    fact.versions?.from ? `From driver version ${fact.versions.from}.` : '',
    fact.gate ? `Needs the driver's feature gate ${fact.gate}.` : '',
  ];
  return notes.filter(Boolean).join(' ').replaceAll('*/', '*\u200b/');
}

function className({ id }) {
  return id.split('-').map(part => part[0].toUpperCase() + part.slice(1)).join('');
}

function factoryFile(profiles) {
  const names = profiles.map(className);
  return `${HEADER}import { DeviceDriver } from '../dra/device-driver';
import type { DriverProfileOptions } from './known-driver';
import { ${names.join(', ')} } from './profiles';

/** A driver that this library has no profile of. */
export interface CustomDriverProps {
  /** Name that the driver registers with kubelet, a DNS subdomain of at most 63 characters. */
  readonly driverName: string;
  /** Kind of device, a DNS label of at most 40 characters, e.g. \`fpga\`. */
  readonly family: string;
}

/** The drivers that are known, and a way to describe any other. */
export class DriverProfile {
  /** A driver by its name; its attributes are made with \`stringAttribute()\` and the like. */
  public static custom(props: CustomDriverProps): DeviceDriver {
    return new DeviceDriver(props.driverName, props.family);
  }
${profiles.map(profile => `
  /** Driver \`${profile.driverName}\` of ${project(profile)}${profile.read.length === 0 ? '' : `, as of ${profile.read[0].release}`}. */
  public static ${className(profile)[0].toLowerCase()}${className(profile).slice(1)}(options: DriverProfileOptions = {}): ${className(profile)} {
    return new ${className(profile)}(options);
  }
`).join('')}
  private constructor() {}
}
`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { DRIVER_PROFILES } = await loadModel('drivers/index.ts');
  const folder = join(ROOT, 'src', 'drivers', 'profiles');
  // A profile that was taken out must not leave its class behind.
  if (!process.argv.includes('--check')) rmSync(folder, { recursive: true, force: true });
  writeOrCheck(profileFiles(DRIVER_PROFILES), 'node tools/profiles/generate.mjs');
}
