import { attributeTextProblem } from 'cdk8s-dra/model';
import type { AttributeTemplate, CapacitySettings, SimulatedDeviceSettings } from 'cdk8s-dra/model';
import type { ContainerEdits } from '../backend.js';
import { envName } from '../env-name.js';
import type { AttributeValue, CounterSet, DeviceCapacity, InventoryDevice, ReportProblem } from '../inventory.js';

/** A device of the fleet and what a container gets with it. */
export interface FleetMember {
  readonly device: InventoryDevice;
  readonly edits: ContainerEdits;
}

export interface Fleet {
  readonly members: readonly FleetMember[];
  readonly counterSets: readonly CounterSet[];
}

/** Makes the devices that templates describe, in the order of the file. */
export function fleetOf(templates: readonly SimulatedDeviceSettings[], report: ReportProblem): Fleet {
  const members: FleetMember[] = [];
  const counterSets: CounterSet[] = [];
  for (const template of templates) {
    for (let index = 0; index < (template.count ?? 1); index++) {
      const fill = (text: string): string => text.replaceAll('{index}', String(index));
      const name = fill(template.name);
      const identity = fill(template.identity ?? template.name);
      const parts = template.parts?.map(fill) ?? [name];
      const whole: InventoryDevice = {
        name,
        identity,
        parts,
        attributes: attributesOf(name, template.attributes, fill, report),
        capacity: capacityOf(template.capacity),
        ...(template.maxShares !== undefined && { allowMultipleAllocations: true, maxShares: template.maxShares }),
        deviceNodes: (template.deviceNodes ?? []).map(({ path, hostPath }) => fill(hostPath ?? path)),
      };
      const { partitions } = template;
      if (partitions === undefined) {
        members.push({ device: whole, edits: editsOf(template, whole, fill) });
        continue;
      }
      counterSets.push({ name, counters: valuesOf(partitions.counters) });
      if (partitions.whole !== false) {
        const device = { ...whole, consumesCounters: [{ counterSet: name, counters: valuesOf(partitions.counters) }] };
        members.push({ device, edits: editsOf(template, device, fill) });
      }
      for (const profile of partitions.profiles) {
        for (let number = 0; number < (profile.count ?? 1); number++) {
          const partition = `${name}-${profile.name}-${number}`;
          const device: InventoryDevice = {
            name: partition,
            identity: `${identity}/${profile.name}/${number}`,
            parts,
            attributes: {
              ...whole.attributes, ...attributesOf(partition, { profile: { string: profile.name }, ...profile.attributes }, fill, report),
            },
            capacity: capacityOf(profile.capacity),
            consumesCounters: [{ counterSet: name, counters: valuesOf(profile.counters) }],
            deviceNodes: whole.deviceNodes,
          };
          members.push({ device, edits: editsOf(template, device, fill) });
        }
      }
    }
  }
  return { members, counterSets };
}

type Fill = (text: string) => string;

function attributesOf(
  device: string, templates: { readonly [name: string]: AttributeTemplate } | undefined, fill: Fill, report: ReportProblem,
): InventoryDevice['attributes'] {
  const found: [string, AttributeValue][] = [];
  for (const [name, template] of Object.entries(templates ?? {})) {
    const value = valueOf(template, fill);
    const problem = attributeTextProblem(value);
    if (problem === undefined) found.push([name, value]);
    else report({ code: 'DRA345', subject: device, message: `The attribute ${name} of ${device} is left out: it ${problem.rule}.` });
  }
  return Object.fromEntries(found);
}

function valueOf(template: AttributeTemplate, fill: Fill): AttributeValue {
  if ('string' in template) return { string: fill(template.string) };
  if ('version' in template) return { version: fill(template.version) };
  if ('bool' in template) return template;
  return { int: typeof template.int === 'number' ? template.int : Number(fill(template.int)) };
}

function capacityOf(settings: CapacitySettings = {}): InventoryDevice['capacity'] {
  return Object.fromEntries(Object.entries(settings).map(([name, amounts]): [string, DeviceCapacity] => {
    const { value, default: byDefault, min, max, step, validValues } = amounts;
    const validRange = min === undefined ? undefined : { min, ...(max !== undefined && { max }), ...(step !== undefined && { step }) };
    const requestPolicy = {
      ...(byDefault !== undefined && { default: byDefault }),
      ...(validValues !== undefined && { validValues }),
      ...(validRange !== undefined && { validRange }),
    };
    return [name, { value, ...(Object.keys(requestPolicy).length > 0 && { requestPolicy }) }];
  }));
}

function editsOf(template: SimulatedDeviceSettings, { name, identity }: InventoryDevice, fill: Fill): ContainerEdits {
  const { deviceNodes = [], mounts = [], env = {} } = template;
  return {
    env: [`CDK8S_DRA_SIM_${envName(name)}=${identity}`, ...Object.entries(env).map(([key, value]) => `${key}=${fill(value)}`)].sort(),
    ...(deviceNodes.length > 0 && {
      deviceNodes: deviceNodes.map(({ path, hostPath, permissions }) => ({
        path: fill(path),
        ...(hostPath !== undefined && { hostPath: fill(hostPath) }),
        ...(permissions !== undefined && { permissions }),
      })),
    }),
    ...(mounts.length > 0 && {
      mounts: mounts.map(({ hostPath, containerPath, options = MOUNT_OPTIONS }) => ({
        hostPath: fill(hostPath), containerPath: fill(containerPath), options,
      })),
    }),
  };
}

const MOUNT_OPTIONS = ['ro', 'nosuid', 'nodev', 'bind'];

function valuesOf(amounts: { readonly [counter: string]: string }): { readonly [counter: string]: { readonly value: string } } {
  return Object.fromEntries(Object.entries(amounts).map(([counter, value]) => [counter, { value }]));
}
