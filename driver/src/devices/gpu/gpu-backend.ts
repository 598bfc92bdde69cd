import type { GpuSettings, SharingSettings } from 'cdk8s-dra/model';
import { AGENT_GPU, GPU_VENDORS } from 'cdk8s-dra/model';
import { entryFor } from './matched-card.js';

import { arrange } from '../arrangement.js';
import type { BackendHost } from '../backend-host.js';
import type { DeviceBackend, DeviceRelease, PreparedDevice } from '../backend.js';
import type { DeviceClaim } from '../device-claim.js';
import type { DeviceReading } from '../device-health.js';
import { amdCards, KFD_NODE } from './amd.js';
import { ErrorCounters, fatalBusErrors } from '../host/error-counters.js';
import { HostReader } from '../host/host-reader.js';
import { keyValues, wholeNumber } from '../host/key-values.js';
import { isOnBus } from '../host/pci-function.js';
import { readHost } from '../host/read-host.js';
import type { Inventory, InventoryDevice, InventoryProblem, ReportProblem } from '../inventory.js';
import type { JsonObject } from '../json.js';
import { NodeFailure } from '../node-failure.js';
import { claimConfig } from '../opaque-config.js';
import { publishable } from '../publishable.js';
import { requireDeviceNodes } from '../required-nodes.js';
import { CDI_FOLDERS } from './gpu-scan.js';
import type { DrmAccess, FoundCard, FoundGpu, GpuAccess, GpuScan, NvidiaAccess } from './gpu-scan.js';
import { sharedDevice, shareEdits, shareOf } from './gpu-shares.js';
import type { GpuShare } from './gpu-shares.js';
import { intelCards } from './intel.js';
import { cdiDeviceOf, NVIDIA_CDI_KIND, nvidiaCards, nvidiaUuid } from './nvidia.js';
import { vendorCdiDevices } from './vendor-cdi.js';

const READERS = { nvidia: nvidiaCards, amd: amdCards, intel: intelCards };

/** What the record keeps of a GPU that a claim gets. Nothing is changed on a GPU, so nothing has to be undone. */
interface GpuIntent {
  readonly access: GpuAccess;
  readonly includeCardNode?: boolean;
  readonly share?: GpuShare;
}

interface KnownGpu extends FoundGpu {
  readonly sharing?: SharingSettings;
}

/** GPUs of NVIDIA, AMD and Intel: whole ones, partitions that are there, and shares. */
export class GpuBackend implements DeviceBackend {
  public readonly family = 'gpu';
  private known: ReadonlyMap<string, KnownGpu> = new Map();
  private readonly errors: ErrorCounters;

  public constructor(private readonly settings: GpuSettings, private readonly host: BackendHost) {
    this.errors = new ErrorCounters(host.now);
  }

  public async discover(signal: AbortSignal): Promise<Inventory> {
    const problems: InventoryProblem[] = [];
    const report: ReportProblem = (problem) => void problems.push(problem);
    const scan: GpuScan = { host: new HostReader(this.host.root, report), settings: this.settings, report, signal };
    const cards = await readHost(async () => {
      const found: FoundCard[] = [];
      for (const vendor of this.settings.vendors ?? GPU_VENDORS) found.push(...await READERS[vendor](scan));
      return found;
    });
    const known = cards.flatMap((card) => card.gpus.flatMap((gpu) => this.offered(card, gpu, report)));
    const devices = arrange(known.map(({ device }) => device), this.settings, report);
    const inventory = publishable({ devices, counterSets: cards.flatMap(({ counterSets }) => counterSets), problems });
    this.known = new Map(known.map((gpu) => [gpu.device.name, gpu]));
    return inventory;
  }

  public plan(claim: DeviceClaim): JsonObject {
    const { name } = claim.device;
    const config = claimConfig(AGENT_GPU, claim);
    const gpu = this.known.get(name);
    if (gpu === undefined) throw new NodeFailure('DRA352', 'retryable', `${name} is not there any more.`, { devices: [name] });
    const share = gpu.sharing === undefined || claim.adminAccess ? undefined : shareOf(claim, gpu.sharing, gpu.access.address);
    const intent: GpuIntent = {
      access: gpu.access,
      ...(config.includeCardNode === true && { includeCardNode: true }),
      ...(share && { share }),
    };
    return intent as unknown as JsonObject;
  }

  public async prepare({ device: { name } }: DeviceClaim, intent: JsonObject, signal: AbortSignal): Promise<PreparedDevice> {
    signal.throwIfAborted();
    const { access, share, includeCardNode } = intent as unknown as GpuIntent;
    const edits = share === undefined ? {} : await shareEdits(this.host.root, name, share);
    if (access.vendor !== 'nvidia') return this.prepareDrm(name, access, includeCardNode === true);
    const vendorCdiDevice = await this.vendorCdiDevice(name, access);
    return { edits, vendorCdiDevices: [vendorCdiDevice], state: { vendorCdiDevice } };
  }

  /** Nothing was changed on the GPU: what a container left in its memory is cleared by the kernel driver when its last process ends. */
  public async unprepare(_release: DeviceRelease): Promise<void> {}

  public async health({ devices }: Inventory, signal: AbortSignal): Promise<readonly DeviceReading[]> {
    const host = new HostReader(this.host.root, () => undefined);
    const readings: DeviceReading[] = [];
    for (const device of devices) {
      signal.throwIfAborted();
      const gpu = this.known.get(device.name);
      if (gpu !== undefined) readings.push(await this.reading(host, device, gpu.access));
    }
    return readings;
  }

  private offered(card: FoundCard, gpu: FoundGpu, report: ReportProblem): KnownGpu[] {
    const product = entryFor(this.settings.products, card);
    const device: InventoryDevice = {
      ...gpu.device,
      attributes: { ...gpu.device.attributes, ...product?.attributes },
      capacity: card.isWhole && product?.memory !== undefined ? { memory: { value: product.memory } } : gpu.device.capacity,
    };
    const sharing = card.isWhole ? entryFor(this.settings.sharing, card) : undefined;
    if (sharing === undefined) return [{ ...gpu, device }];
    if (sharing.enforcement === 'mps' && card.vendor !== 'nvidia') {
      report({ code: 'DRA348', subject: device.name, message: `${device.name} is not offered: MPS is for NVIDIA GPUs. Narrow the match of the entry in sharing.` });
      return [];
    }
    const shared = sharedDevice(device, sharing, report);
    return shared === undefined ? [] : [{ ...gpu, device: shared, sharing }];
  }

  private async prepareDrm(name: string, { vendor, address, renderNode, cardNode }: DrmAccess, includeCardNode: boolean): Promise<PreparedDevice> {
    if (!await this.host.root.exists(`/sys/bus/pci/devices/${address}`)) throw gone(name, address);
    const nodes = [...(vendor === 'amd' ? [KFD_NODE] : []), ...(includeCardNode && cardNode !== undefined ? [cardNode] : []), renderNode];
    await requireDeviceNodes(this.host.root, name, nodes);
    return { edits: { deviceNodes: nodes.map((path) => ({ path })) }, vendorCdiDevices: [], state: {} };
  }

  /** The vendor's CDI device, read anew: its generator may have run since. Every node it promises must be there. */
  private async vendorCdiDevice(name: string, access: NvidiaAccess): Promise<string> {
    const host = new HostReader(this.host.root, () => undefined);
    const uuid = await nvidiaUuid(host, access.address);
    if (uuid !== access.uuid) throw gone(name, access.address, uuid === undefined ? undefined : `${uuid} is there now instead of ${access.uuid}`);
    const device = cdiDeviceOf(await vendorCdiDevices(host, this.settings.cdiFolders ?? CDI_FOLDERS, NVIDIA_CDI_KIND), access);
    if (device === undefined || device.mounts === 0) {
      const what = device === undefined ? `no CDI file describes ${name}` : `${device.file} gives ${device.id} no files of the driver`;
      throw new NodeFailure('DRA351', 'retryable', `${name} cannot be given to a container: ${what}. Run nvidia-ctk cdi generate; the claim is tried again by itself.`, { devices: [name] });
    }
    await requireDeviceNodes(this.host.root, name, [...device.nodes, ...device.commonNodes].map(({ hostPath }) => hostPath));
    return device.id;
  }

  private async reading(host: HostReader, { name }: InventoryDevice, access: GpuAccess): Promise<DeviceReading> {
    const { address } = access;
    const unhealthy = (code: string, message: string): DeviceReading => ({ device: name, health: 'unhealthy', code, message });
    const isThere = await isOnBus(host, address);
    if (isThere === false) return unhealthy('DRA352', `${address} does not answer on its bus`);
    if (access.vendor === 'nvidia' && await nvidiaUuid(host, address) !== access.uuid) return unhealthy('DRA352', `the kernel driver lost ${access.uuid}`);
    const bus = await fatalBusErrors(host, address);
    if (bus !== undefined && this.errors.hasGrown(`bus ${address}`, bus)) return unhealthy('DRA361', `${address} had ${bus} fatal bus errors since boot`);
    const memory = access.vendor === 'amd' ? wholeNumber(keyValues(await host.text(`/sys/bus/pci/devices/${address}/ras/umc_err_count`) ?? '').get('ue')) : undefined;
    if (memory !== undefined && this.errors.hasGrown(`memory ${address}`, memory)) return unhealthy('DRA362', `${address} had ${memory} uncorrectable memory errors since boot`);
    return { device: name, health: isThere === undefined ? 'unknown' : 'healthy' };
  }
}

function gone(name: string, address: string, why?: string): NodeFailure {
  return new NodeFailure('DRA352', 'retryable', `${name} is not at ${address} any more${why === undefined ? '' : `: ${why}`}. Look at the kernel log.`, { devices: [name] });
}
