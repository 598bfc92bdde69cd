import type { PartitionSettings } from 'cdk8s-dra/model';
import { entryFor } from './matched-card.js';
import { DeviceAttributes } from '../device-attributes.js';
import type { HostReader } from '../host/host-reader.js';
import { keyValues, wholeNumber } from '../host/key-values.js';
import { addressName, cardPart, pciAttributes, pciFunctions } from '../host/pci-function.js';
import type { PciFunction } from '../host/pci-function.js';
import type { CounterSet } from '../inventory.js';
import { CDI_FOLDERS } from './gpu-scan.js';
import type { FoundCard, FoundGpu, GpuScan, NvidiaAccess } from './gpu-scan.js';
import { vendorCdiDevices } from './vendor-cdi.js';
import type { VendorCdiDevice } from './vendor-cdi.js';

/** As the kernel driver's procfs has it: kernel-open/nvidia/nv-procfs.c and nv-caps.c of NVIDIA/open-gpu-kernel-modules (595.45.04). */
const PROC = '/proc/driver/nvidia';

export const NVIDIA_CDI_KIND = 'nvidia.com/gpu';

/** One GPU of NVIDIA, before it is known what of it can be offered. */
interface NvidiaCard {
  readonly pci: PciFunction;
  readonly name: string;
  readonly product?: string;
  readonly uuid: string;
  readonly minor: number;
}

/** A MIG device that is on the card: nobody here makes or removes one. */
interface MigInstance {
  readonly gpuInstance: number;
  readonly computeInstance: number;
  readonly capabilities: readonly [number, number];
}

/** What is the same for all GPUs of a host. */
interface NvidiaHost extends GpuScan {
  readonly cdi: readonly VendorCdiDevice[];
  readonly driverVersion: string | undefined;
}

/** GPUs and MIG devices of NVIDIA, from sysfs, the kernel driver's procfs and the CDI files that NVIDIA's tool wrote. */
export async function nvidiaCards(scan: GpuScan): Promise<FoundCard[]> {
  const { host, settings, signal } = scan;
  const functions = await pciFunctions(host, (vendor, classCode) => vendor === '10de' && /^030[02]/.test(classCode), signal);
  if (functions.length === 0) return [];
  const nvidia: NvidiaHost = {
    ...scan,
    cdi: await vendorCdiDevices(host, settings.cdiFolders ?? CDI_FOLDERS, NVIDIA_CDI_KIND),
    driverVersion: await kernelDriverVersion(host),
  };
  const cards: FoundCard[] = [];
  for (const pci of functions) {
    signal.throwIfAborted();
    const card = await cardAt(scan, pci);
    if (card !== undefined) cards.push(await offerOf(nvidia, card));
  }
  return cards;
}

/** What the kernel driver says of a GPU now; undefined when it does not know it. */
export async function nvidiaUuid(host: HostReader, address: string): Promise<string | undefined> {
  const information = await host.text(`${PROC}/gpus/${address}/information`);
  const uuid = information === undefined ? undefined : keyValues(information).get('GPU UUID');
  return uuid !== undefined && UUID.test(uuid) ? uuid : undefined;
}

/** The CDI device that gives a container exactly this GPU or MIG device; one named by UUID is preferred to one named by index. */
export function cdiDeviceOf(devices: readonly VendorCdiDevice[], { uuid, minor, capabilities }: NvidiaAccess): VendorCdiDevice | undefined {
  const wanted = [`/dev/nvidia${minor}`, ...(capabilities ?? []).map((capability) => `/dev/nvidia-caps/nvidia-cap${capability}`)].sort();
  const exact = devices.filter(({ nodes, name }) => {
    const given = nodes.map(({ path }) => path).filter((path) => /^\/dev\/nvidia(?:\d+|-caps\/nvidia-cap\d+)$/.test(path)).sort();
    return name !== 'all' && given.length === wanted.length && given.every((path, index) => path === wanted[index]);
  });
  return exact.find(({ name }) => name === uuid) ?? exact.find(({ name }) => name.startsWith('MIG-')) ?? exact[0];
}

async function cardAt({ host, report }: GpuScan, pci: PciFunction): Promise<NvidiaCard | undefined> {
  const name = `gpu-${addressName(pci.address)}`;
  const withhold = (code: string, why: string): undefined => void report({ code, subject: name, message: `${name} is not offered: ${why}` });
  if (pci.driver !== undefined && pci.driver !== 'nvidia') return withhold('DRA343', `it is bound to ${pci.driver}, not to the kernel driver nvidia.`);
  const information = await host.text(`${PROC}/gpus/${pci.address}/information`);
  if (information === undefined) return withhold('DRA343', `the kernel driver nvidia does not know it: there is no ${PROC}/gpus/${pci.address}/information. Load the driver.`);
  const facts = keyValues(information);
  if (facts.get('GPU Excluded') === 'Yes') return withhold('DRA347', 'the kernel driver was told to exclude it.');
  const minor = wholeNumber(facts.get('Device Minor'));
  if (minor === undefined) return withhold('DRA344', 'the kernel driver does not say the number of its device node.');
  const uuid = facts.get('GPU UUID');
  // The driver learns it when the GPU is used first; before, the line is missing or has question marks.
  if (uuid === undefined || !UUID.test(uuid)) return withhold('DRA343', 'its UUID is not known before its first use. Start nvidia-persistenced, or run nvidia-smi once.');
  const product = facts.get('Model');
  return { pci, name, uuid, minor, ...(product !== undefined && product !== 'Unknown' && { product }) };
}

async function offerOf(nvidia: NvidiaHost, card: NvidiaCard): Promise<FoundCard> {
  const { host, settings, report } = nvidia;
  const found = { vendor: 'nvidia' as const, pci: card.pci, ...(card.product !== undefined && { product: card.product }) };
  const described = entryFor(settings.partitions, found);
  const instances = await migInstances(host, card.minor);
  const nothing: FoundCard = { ...found, gpus: [], counterSets: [], isWhole: false };

  if (instances.length === 0 && described?.fixed === undefined) {
    const whole = await offered(nvidia, card);
    return { ...nothing, gpus: whole === undefined ? [] : [whole], isWhole: true };
  }
  if (described === undefined) {
    const which = instances.map(({ gpuInstance, computeInstance }) => `${gpuInstance}/${computeInstance}`).join(', ');
    report({ code: 'DRA346', subject: card.name, message: `${card.name} is not offered: it has MIG devices (GPU instance/compute instance ${which}) that the settings do not describe. Remove them, or add an entry to partitions.` });
    return nothing;
  }
  const counterSet: CounterSet | undefined = described.counters && { name: card.name, counters: valuesOf(described.counters) };
  const gpus: FoundGpu[] = [];
  for (const instance of instances) {
    const gpu = await partition(nvidia, card, described, instance);
    if (gpu !== undefined) gpus.push(gpu);
  }
  for (const { gpuInstance, computeInstance, profile } of described.fixed ?? []) {
    if (instances.some((instance) => instance.gpuInstance === gpuInstance && instance.computeInstance === computeInstance)) continue;
    report({ code: 'DRA346', subject: card.name, message: `The MIG device ${profile} (GPU instance ${gpuInstance}, compute instance ${computeInstance}) that the settings describe is not on ${card.name}.` });
  }
  return { ...nothing, gpus, counterSets: counterSet === undefined ? [] : [counterSet] };
}

async function partition(nvidia: NvidiaHost, card: NvidiaCard, { fixed }: PartitionSettings, instance: MigInstance): Promise<FoundGpu | undefined> {
  const { gpuInstance, computeInstance, capabilities } = instance;
  const facts = fixed?.find((entry) => entry.gpuInstance === gpuInstance && entry.computeInstance === computeInstance);
  if (fixed !== undefined && facts === undefined) {
    nvidia.report({ code: 'DRA346', subject: card.name, message: `A MIG device of ${card.name} (GPU instance ${gpuInstance}, compute instance ${computeInstance}) is not offered: the settings do not describe it.` });
    return undefined;
  }
  const gpu = await offered(nvidia, card, { ...instance, ...(facts && { profile: facts.profile }) });
  if (gpu === undefined) return undefined;
  const { device } = gpu;
  return {
    access: { ...gpu.access, capabilities } as NvidiaAccess,
    device: {
      ...device,
      attributes: { ...device.attributes, ...facts?.attributes },
      capacity: facts?.memory === undefined ? {} : { memory: { value: facts.memory } },
      ...(facts?.counters && { consumesCounters: [{ counterSet: card.name, counters: valuesOf(facts.counters) }] }),
    },
  };
}

/** A whole GPU or a MIG device, if the vendor's CDI files describe it and its device nodes are there. */
async function offered(
  { host, report, cdi, driverVersion }: NvidiaHost, card: NvidiaCard, mig?: MigInstance & { readonly profile?: string },
): Promise<FoundGpu | undefined> {
  const { pci, uuid, minor, product } = card;
  const name = mig === undefined ? card.name : `${card.name}-gi${mig.gpuInstance}-ci${mig.computeInstance}`;
  const access: NvidiaAccess = { vendor: 'nvidia', address: pci.address, uuid, minor, ...(mig && { capabilities: mig.capabilities }) };
  const described = cdiDeviceOf(cdi, access);
  if (described === undefined) {
    report({ code: 'DRA351', subject: name, message: `${name} is not offered: no CDI file has a device of ${NVIDIA_CDI_KIND} for it alone. Run nvidia-ctk cdi generate; after a change of the MIG mode or of partitions the file has to be written anew.` });
    return undefined;
  }
  const nodes = described.nodes.map(({ hostPath }) => hostPath);
  for (const node of nodes) {
    if (await host.deviceNode(node) !== undefined) continue;
    report({ code: 'DRA350', subject: name, message: `${name} is not offered: there is no device node ${node} on the host.` });
    return undefined;
  }
  const attributes = new DeviceAttributes(name, report);
  attributes.string('type', mig === undefined ? 'gpu' : 'partition');
  attributes.string('vendor', 'nvidia');
  attributes.string('productName', product);
  attributes.string('uuid', uuid);
  attributes.version('driverVersion', driverVersion);
  attributes.string('profile', mig?.profile);
  attributes.int('gpuInstance', mig?.gpuInstance);
  attributes.int('computeInstance', mig?.computeInstance);
  pciAttributes(attributes, pci);
  return {
    access,
    device: {
      name,
      identity: mig === undefined ? uuid : `${uuid}/gi${mig.gpuInstance}/ci${mig.computeInstance}`,
      parts: [cardPart(pci.address)],
      attributes: attributes.values,
      capacity: {},
      deviceNodes: nodes,
    },
  };
}

/** MIG devices that are there: folders of capabilities appear and go with them. */
async function migInstances(host: HostReader, minor: number): Promise<MigInstance[]> {
  const found: MigInstance[] = [];
  const mig = `${PROC}/capabilities/gpu${minor}/mig`;
  for (const [gi, gpuInstance] of numbered(await host.list(mig), 'gi')) {
    const ofGpuInstance = await capabilityMinor(host, `${mig}/${gi}`);
    for (const [ci, computeInstance] of numbered(await host.list(`${mig}/${gi}`), 'ci')) {
      const ofComputeInstance = await capabilityMinor(host, `${mig}/${gi}/${ci}`);
      // Without the numbers of its nodes no CDI device will fit, and that is what is reported.
      found.push({ gpuInstance, computeInstance, capabilities: [ofGpuInstance ?? -1, ofComputeInstance ?? -1] });
    }
  }
  return found;
}

async function capabilityMinor(host: HostReader, folder: string): Promise<number | undefined> {
  const access = await host.text(`${folder}/access`);
  return access === undefined ? undefined : wholeNumber(keyValues(access).get('DeviceFileMinor'));
}

function numbered(names: readonly string[], prefix: string): [string, number][] {
  return names.flatMap((name): [string, number][] => {
    const number = name.startsWith(prefix) ? wholeNumber(name.slice(prefix.length)) : undefined;
    return number === undefined ? [] : [[name, number]];
  });
}

async function kernelDriverVersion(host: HostReader): Promise<string | undefined> {
  const text = await host.text(`${PROC}/version`);
  return /\b(\d{3,4}\.\d{2,3}(?:\.\d{2,3})?)\b/.exec(text ?? '')?.[1];
}

function valuesOf(amounts: { readonly [counter: string]: string }): { readonly [counter: string]: { readonly value: string } } {
  return Object.fromEntries(Object.entries(amounts).map(([counter, value]) => [counter, { value }]));
}

const UUID = /^GPU-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
