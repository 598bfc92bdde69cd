import type { NicSettings } from 'cdk8s-dra/model';
import { AGENT_NIC, Quantity } from 'cdk8s-dra/model';
import { offerFor } from './matched-offer.js';

import { arrange } from '../arrangement.js';
import type { BackendHost } from '../backend-host.js';
import type { DeviceBackend, DeviceRelease, NetworkData, PreparedDevice } from '../backend.js';
import type { DeviceClaim } from '../device-claim.js';
import type { DeviceReading } from '../device-health.js';
import { envName } from '../env-name.js';
import { ErrorCounters, fatalBusErrors } from '../host/error-counters.js';
import { HostReader } from '../host/host-reader.js';
import { isOnBus } from '../host/pci-function.js';
import { readHost } from '../host/read-host.js';
import type { Inventory, InventoryProblem, ReportProblem } from '../inventory.js';
import type { JsonObject } from '../json.js';
import { NodeFailure } from '../node-failure.js';
import { claimConfig } from '../opaque-config.js';
import { publishable } from '../publishable.js';
import { requireDeviceNodes } from '../required-nodes.js';
import { offeredNics, vfioNodes } from './nic-device.js';
import type { OfferedNic } from './nic-device.js';
import { interfaceOf, nicFunctions } from './nic-functions.js';
import type { NicFunction } from './nic-functions.js';
import { rdmaNodes } from './rdma-nodes.js';

/** What the record keeps of a network function that a claim gets: enough to clean it without a look at it before. */
interface NicIntent {
  /** The function that the pod gets; absent with admin access to a shared port. */
  readonly function?: string;
  readonly nodes: readonly string[];
  readonly rdma: 'auto' | 'required' | 'none';
  readonly interfaceName?: string;
  /** File and value of the rate limit, in megabits per second; 0 lifts it. */
  readonly rate?: { readonly file: string; readonly megabits: number };
  /** Rate limit that whoever moves the interface has to set. */
  readonly handedOverMegabits?: number;
  readonly reset?: boolean;
  /** Beside another claim, whose pod has the interface. */
  readonly adminAccess?: boolean;
}

/** What is known of a function only while its interface is on the host; a pod that has it takes it out of sight, and its RDMA device too. */
type Remembered = Partial<Pick<NicFunction, 'interfaceName' | 'hardwareAddress' | 'linkType' | 'speedMegabits' | 'rdmaDevices'>>;

const WRITE_PATIENCE_MS = 10_000;

/** Network functions: virtual functions, ports, and ports of which claims share the bandwidth. */
export class NicBackend implements DeviceBackend {
  public readonly family = 'nic';
  private known: ReadonlyMap<string, OfferedNic> = new Map();
  private readonly remembered = new Map<string, Remembered>();
  private readonly errors: ErrorCounters;

  public constructor(private readonly settings: NicSettings, private readonly host: BackendHost) {
    this.errors = new ErrorCounters(host.now);
  }

  public async discover(signal: AbortSignal): Promise<Inventory> {
    const problems: InventoryProblem[] = [];
    const report: ReportProblem = (problem) => void problems.push(problem);
    const reader = new HostReader(this.host.root, report);
    const functions = await readHost(() => nicFunctions(reader, signal));
    const offered: OfferedNic[] = [];
    for (const seen of functions) {
      const physical = this.withMemory(seen);
      const offer = offerFor(this.settings.offers, physical);
      if (offer !== undefined) offered.push(...await offeredNics(reader, physical, offer, report));
    }
    this.known = new Map(offered.map((nic) => [nic.device.name, nic]));
    return publishable({ devices: arrange(offered.map(({ device }) => device), this.settings, report), counterSets: [], problems });
  }

  public plan(claim: DeviceClaim): JsonObject {
    const { name } = claim.device;
    const config = claimConfig(AGENT_NIC, claim) as { readonly interfaceName?: string };
    const nic = this.known.get(name);
    if (nic === undefined) throw new NodeFailure('DRA352', 'retryable', `${name} is not there any more.`, { devices: [name] });
    const { offer, physical, virtual } = nic;
    const rdma = offer.rdma ?? 'auto';
    const named = config.interfaceName === undefined ? {} : { interfaceName: config.interfaceName };
    if (claim.adminAccess) return intentJson({ ...(nic.shares === undefined && { function: (virtual?.pci ?? physical.pci).address }), nodes: [], rdma: 'none', adminAccess: true, ...named });
    const reset = offer.scrub === 'function-reset' ? { reset: true } : {};
    if (offer.as === 'shared-bandwidth') return intentJson({ ...this.share(claim, nic), rdma, ...named, ...reset });
    const pci = virtual?.pci ?? physical.pci;
    return intentJson({ function: pci.address, nodes: vfioNodes(pci), rdma, ...named, ...reset });
  }

  public async prepare({ device: { name } }: DeviceClaim, intent: JsonObject, signal: AbortSignal): Promise<PreparedDevice> {
    signal.throwIfAborted();
    const { function: address, nodes, rdma, interfaceName, rate, handedOverMegabits, adminAccess } = intent as unknown as NicIntent;
    const host = new HostReader(this.host.root, () => undefined);
    if (address === undefined) return { edits: { env: [`CDK8S_DRA_NIC_${envName(name)}=`] }, vendorCdiDevices: [], state: {} };
    const folder = await host.target(`/sys/bus/pci/devices/${address}`);
    if (folder === undefined) throw new NodeFailure('DRA352', 'retryable', `${name} cannot be given to a pod: ${address} is not on the bus any more.`, { devices: [name] });

    const net = await interfaceOf(host, folder);
    const rdmaDevices = rdma === 'none' ? [] : await host.list(`${folder}/infiniband`);
    const rdmaFiles = await rdmaNodes(host, rdmaDevices);
    if (rdma === 'required' && rdmaFiles.length === 0) throw notReady(name, `${address} has no RDMA device on the host now`);
    if (nodes.length === 0 && net === undefined && rdmaFiles.length === 0 && adminAccess !== true) throw notReady(name, `the network interface of ${address} is not on the host; a pod may still have it`);
    const deviceNodes = [...nodes, ...rdmaFiles];
    await requireDeviceNodes(this.host.root, name, deviceNodes);
    if (rate !== undefined) await this.setRate(name, rate);

    const hardwareAddress = net === undefined ? undefined : await host.text(`${net.folder}/address`);
    const networkData: NetworkData = {
      ...(interfaceName !== undefined && { interfaceName }), ...(hardwareAddress !== undefined && { hardwareAddress }),
    };
    return {
      edits: {
        env: [
          `CDK8S_DRA_NIC_${envName(name)}=${address}`,
          ...(handedOverMegabits === undefined ? [] : [`CDK8S_DRA_NIC_${envName(name)}_MAX_TX_RATE_MBPS=${handedOverMegabits}`]),
        ],
        ...(deviceNodes.length > 0 && { deviceNodes: deviceNodes.map((path) => ({ path })) }),
      },
      vendorCdiDevices: [],
      state: { ...(net && { interface: net.name }), ...(hardwareAddress !== undefined && { hardwareAddress }) },
      ...(Object.keys(networkData).length > 0 && { networkData }),
    };
  }

  public async unprepare({ device, intent }: DeviceRelease): Promise<void> {
    const { function: address, rate, reset } = intent as unknown as NicIntent;
    // A function that was unmade has nothing left of a tenant.
    if (address === undefined || !await this.host.root.exists(`/sys/bus/pci/devices/${address}`)) return;
    const failed: string[] = [];
    const undo = async (what: string, path: string, value: string): Promise<void> => {
      try {
        await this.host.root.write(path, value, WRITE_PATIENCE_MS);
      } catch (error) {
        failed.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    };
    if (rate !== undefined) await undo('lifting the rate limit', rate.file, '0');
    if (reset === true) await undo('the reset', `/sys/bus/pci/devices/${address}/reset`, '1');
    if (failed.length > 0) throw new NodeFailure('DRA359', 'needs-cleanup', `${address} of ${device} is not clean: ${failed.join('; ')}. Reset it by hand and restart the agent.`, { devices: [device] });
  }

  public async health({ devices }: Inventory, signal: AbortSignal): Promise<readonly DeviceReading[]> {
    const host = new HostReader(this.host.root, () => undefined);
    const ofPort = new Map<string, Omit<DeviceReading, 'device'>>();
    const readings: DeviceReading[] = [];
    for (const { name } of devices) {
      signal.throwIfAborted();
      const nic = this.known.get(name);
      if (nic === undefined) continue;
      const { address } = nic.physical.pci;
      const port = ofPort.get(address) ?? await this.portReading(host, nic.physical);
      ofPort.set(address, port);
      const virtual = nic.virtual?.pci.address;
      const isGone = virtual !== undefined && !await host.exists(`/sys/bus/pci/devices/${virtual}`);
      readings.push({ device: name, ...isGone ? { health: 'unhealthy', code: 'DRA352', message: `${virtual} is not on the bus any more` } : port });
    }
    return readings;
  }

  private share({ device: { name }, shareId, consumedCapacity, otherIntents }: DeviceClaim, { offer, physical, shares = [] }: OfferedNic): Omit<NicIntent, 'rdma'> {
    const megabits = megabitsOf(consumedCapacity.bandwidth);
    if (shareId === undefined || megabits === undefined) {
      throw new NodeFailure('DRA353', 'terminal', `The allocation of ${name} names no share or no bandwidth, but bandwidth of the port is shared. Delete the claim and make it anew.`, { devices: [name] });
    }
    const taken = new Set(otherIntents.map((intent) => (intent as unknown as NicIntent).function));
    const free = shares.find(({ pci }) => !taken.has(pci.address));
    if (free === undefined) throw new NodeFailure('DRA354', 'retryable', `None of the ${shares.length} virtual functions of ${name} is free.`, { devices: [name] });
    return {
      function: free.pci.address,
      nodes: vfioNodes(free.pci),
      ...(offer.as === 'shared-bandwidth' && offer.rate === 'sysfs'
        ? { rate: { file: `/sys/bus/pci/devices/${physical.pci.address}/sriov/${free.index}/max_tx_rate`, megabits } }
        : { handedOverMegabits: megabits }),
    };
  }

  private async setRate(device: string, { file, megabits }: NonNullable<NicIntent['rate']>): Promise<void> {
    try {
      await this.host.root.write(file, String(megabits), WRITE_PATIENCE_MS);
    } catch (error) {
      throw new NodeFailure('DRA355', 'retryable', `The rate limit of ${megabits} Mbit/s for ${device} was not set: ${error instanceof Error ? error.message : String(error)}. `
        + 'Where the driver has no such file, let the CNI plugin set it: rate: hand-over.', { devices: [device], cause: error });
    }
  }

  private async portReading(host: HostReader, { pci: { address, folder }, rdmaDevices }: NicFunction): Promise<Omit<DeviceReading, 'device'>> {
    const unhealthy = (code: string, message: string): Omit<DeviceReading, 'device'> => ({ health: 'unhealthy', code, message });
    if (await isOnBus(host, address) === false) return unhealthy('DRA352', `${address} does not answer on its bus`);
    const bus = await fatalBusErrors(host, address);
    if (bus !== undefined && this.errors.hasGrown(`bus ${address}`, bus)) return unhealthy('DRA361', `${address} had ${bus} fatal bus errors since boot`);
    const net = await interfaceOf(host, folder);
    const rdma = rdmaDevices[0];
    const carrier = net === undefined ? undefined : await host.text(`${net.folder}/carrier`);
    const operstate = net === undefined ? undefined : await host.text(`${net.folder}/operstate`);
    if (carrier === '0' || operstate === 'down' || operstate === 'lowerlayerdown') return unhealthy('DRA360', `${net?.name ?? address} has no link`);
    if (carrier === '1') return { health: 'healthy' };
    const state = rdma === undefined ? undefined : await host.text(`${folder}/infiniband/${rdma}/ports/1/state`);
    if (state === undefined) return { health: 'unknown' };
    return state.endsWith('ACTIVE') ? { health: 'healthy' } : unhealthy('DRA360', `port 1 of ${rdma} is in state ${state}`);
  }

  /** Adds what was known of a port and its virtual functions while they were on the host, so that a claim does not change the slice. */
  private withMemory(seen: NicFunction): NicFunction {
    const { interfaceName, hardwareAddress, linkType, speedMegabits, rdmaDevices, virtualFunctions, pci: { address } } = seen;
    return {
      ...seen,
      ...this.remember(address, {
        ...(interfaceName !== undefined && { interfaceName }),
        ...(hardwareAddress !== undefined && { hardwareAddress }),
        ...(linkType && { linkType }),
        ...(speedMegabits !== undefined && { speedMegabits }),
        ...(rdmaDevices.length > 0 && { rdmaDevices }),
      }),
      virtualFunctions: virtualFunctions.map((virtual) => ({
        ...virtual, ...this.remember(virtual.pci.address, virtual.rdmaDevices.length > 0 ? { rdmaDevices: virtual.rdmaDevices } : {}),
      })),
    };
  }

  private remember(address: string, now: Remembered): Remembered {
    const all = { ...this.remembered.get(address), ...now };
    this.remembered.set(address, all);
    return all;
  }
}

function intentJson(intent: NicIntent): JsonObject {
  return intent as unknown as JsonObject;
}

function megabitsOf(bandwidth: string | undefined): number | undefined {
  const parsed = bandwidth === undefined ? undefined : Quantity.tryParse(bandwidth);
  const megabits = parsed instanceof Quantity ? Number(parsed.value() / 1_000_000n) : 0;
  return megabits > 0 ? megabits : undefined;
}

function notReady(name: string, why: string): NodeFailure {
  return new NodeFailure('DRA343', 'retryable', `${name} cannot be given to a pod yet: ${why}.`, { devices: [name] });
}
