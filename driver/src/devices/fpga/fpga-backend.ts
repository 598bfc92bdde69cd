import type { FpgaImageSettings, FpgaSettings } from 'cdk8s-dra/model';
import { AGENT_FPGA, FPGA_KINDS, imageAttribute } from 'cdk8s-dra/model';

import { arrange } from '../arrangement.js';
import type { BackendHost } from '../backend-host.js';
import type { DeviceBackend, DeviceRelease, PreparedDevice } from '../backend.js';
import { DeviceAttributes } from '../device-attributes.js';
import type { DeviceClaim } from '../device-claim.js';
import type { DeviceReading } from '../device-health.js';
import { envName } from '../env-name.js';
import { dflFpgas } from './dfl.js';
import { ErrorCounters, fatalBusErrors } from '../host/error-counters.js';
import { HostReader } from '../host/host-reader.js';
import { isOnBus, pciAttributes } from '../host/pci-function.js';
import { readHost } from '../host/read-host.js';
import type { Inventory, InventoryDevice, InventoryProblem, ReportProblem } from '../inventory.js';
import type { JsonObject } from '../json.js';
import { NodeFailure } from '../node-failure.js';
import { claimConfig } from '../opaque-config.js';
import { publishable } from '../publishable.js';
import { firstMissingNode, requireDeviceNodes } from '../required-nodes.js';
import type { FoundFpga, FpgaAccess } from './found-fpga.js';
import { managerFault, managerFpgas } from './fpga-manager.js';
import { FpgaProgrammer } from './fpga-programmer.js';
import { runProgram } from './run-program.js';
import type { RunProgram } from './run-program.js';
import { xrtFpgas } from './xrt.js';

/** What the record keeps of an FPGA that a claim gets: enough to make it safe again without a look at it before. */
interface FpgaIntent {
  readonly access: FpgaAccess;
  /** Image that is loaded for the claim. */
  readonly image?: string;
  /** Image that is loaded when it is given back. */
  readonly safe?: string;
}

interface KnownFpga {
  readonly found: FoundFpga;
  readonly images: readonly FpgaImageSettings[];
}

/** FPGAs: ports of DFL cards, XRT cards, and what an FPGA manager speaks for; with the images that the platform allows. */
export class FpgaBackend implements DeviceBackend {
  public readonly family = 'fpga';
  private known: ReadonlyMap<string, KnownFpga> = new Map();
  private readonly errors: ErrorCounters;
  private readonly programmer: FpgaProgrammer;

  public constructor(private readonly settings: FpgaSettings, private readonly host: BackendHost, run: RunProgram = runProgram) {
    this.errors = new ErrorCounters(host.now);
    this.programmer = new FpgaProgrammer(settings, host, run);
  }

  public async discover(signal: AbortSignal): Promise<Inventory> {
    const problems: InventoryProblem[] = [];
    const report: ReportProblem = (problem) => void problems.push(problem);
    const reader = new HostReader(this.host.root, report);
    const found = await readHost(() => this.find(reader, report, signal));
    const known = new Map<string, KnownFpga>();
    const devices: InventoryDevice[] = [];
    for (const fpga of found) {
      signal.throwIfAborted();
      const missing = await firstMissingNode(reader, fpga.access.deviceNodes);
      if (missing !== undefined) {
        report({ code: 'DRA350', subject: fpga.name, message: `${fpga.name} is not offered: there is no device node ${missing} on the host.` });
        continue;
      }
      const images = this.usableImages(fpga, report);
      known.set(fpga.name, { found: fpga, images });
      devices.push(this.deviceOf(fpga, images, report));
    }
    this.known = known;
    return publishable({ devices: arrange(devices, this.settings, report), counterSets: [], problems });
  }

  public plan(claim: DeviceClaim): JsonObject {
    const { name } = claim.device;
    const { image: wanted } = claimConfig(AGENT_FPGA, claim) as { readonly image?: string };
    const fpga = this.known.get(name);
    if (fpga === undefined) throw new NodeFailure('DRA352', 'retryable', `${name} is not there any more.`, { devices: [name] });
    const refuse = (why: string): NodeFailure => new NodeFailure('DRA356', 'terminal', `${name} is not programmed with '${wanted ?? ''}': ${why}.`, { devices: [name] });
    const access: JsonObject = { access: fpga.found.access as unknown as JsonObject };
    if (claim.adminAccess) {
      if (wanted !== undefined) throw refuse('a claim with admin access looks on and never changes the device');
      return access;
    }
    if (wanted !== undefined && !fpga.images.some(({ id }) => id === wanted)) {
      const offered = fpga.images.map(({ id }) => id);
      throw refuse(`the images for it are ${offered.length === 0 ? 'none, as it has a fixed function' : offered.join(', ')}`);
    }
    const safe = fpga.images.find((image) => image.safe === true);
    return { ...access, ...(wanted !== undefined && { image: wanted }), ...(safe && { safe: safe.id }) };
  }

  public async prepare({ device: { name } }: DeviceClaim, intent: JsonObject, signal: AbortSignal): Promise<PreparedDevice> {
    signal.throwIfAborted();
    const { access, image: id, safe: safeId } = intent as unknown as FpgaIntent;
    await requireDeviceNodes(this.host.root, name, access.deviceNodes);
    if (id !== undefined && safeId !== undefined) await this.programmer.program(name, access, this.allowed(name, id), this.allowed(name, safeId));
    // A port may come back under its node only some time after it was programmed.
    await requireDeviceNodes(this.host.root, name, access.deviceNodes);
    return {
      edits: {
        env: [`CDK8S_DRA_FPGA_${envName(name)}=${access.address ?? access.manager?.split('/').at(-1) ?? name}`],
        ...(access.deviceNodes.length > 0 && { deviceNodes: access.deviceNodes.map((path) => ({ path })) }),
      },
      vendorCdiDevices: [],
      state: id === undefined ? {} : { image: id },
    };
  }

  public async unprepare({ device, intent, last }: DeviceRelease): Promise<void> {
    const { access, safe } = intent as unknown as FpgaIntent;
    if (safe === undefined || !last) return;
    const image = this.programmer.image(safe);
    if (image === undefined) {
      throw new NodeFailure('DRA359', 'needs-cleanup', `${device} is not cleaned: its safe image ${safe} is no longer in the settings. Put it back and restart the agent.`, { devices: [device] });
    }
    await this.programmer.makeSafe(device, access, image);
  }

  public async health({ devices }: Inventory, signal: AbortSignal): Promise<readonly DeviceReading[]> {
    const host = new HostReader(this.host.root, () => undefined);
    const readings: DeviceReading[] = [];
    for (const { name } of devices) {
      signal.throwIfAborted();
      const fpga = this.known.get(name);
      if (fpga !== undefined) readings.push({ device: name, ...await this.reading(host, fpga.found.access) });
    }
    return readings;
  }

  private async find(reader: HostReader, report: ReportProblem, signal: AbortSignal): Promise<FoundFpga[]> {
    const kinds = this.settings.kinds ?? FPGA_KINDS;
    // The kernel has the folder always; without it this is no host's sysfs.
    await this.host.root.list('/sys/bus');
    const nodes = this.settings.managerNodes ?? [];
    return [
      ...kinds.includes('dfl') ? await dflFpgas(reader, report, signal) : [],
      ...kinds.includes('xrt') && await reader.exists('/sys/bus/pci/devices') ? await xrtFpgas(reader, report, signal) : [],
      ...kinds.includes('manager') ? (await managerFpgas(reader, signal)).map((fpga) => ({ ...fpga, access: { ...fpga.access, deviceNodes: nodes } })) : [],
    ];
  }

  /** Images for it, if there is a safe one among them: without, nobody could clean it. */
  private usableImages(fpga: FoundFpga, report: ReportProblem): readonly FpgaImageSettings[] {
    const images = this.programmer.imagesFor(fpga);
    if (images.length === 0 || images.some(({ safe }) => safe === true)) return images;
    report({ code: 'DRA356', subject: fpga.name, message: `${fpga.name} is offered with a fixed function: no safe image is for its shell ${fpga.shellId ?? ''}. Add the shell to one.` });
    return [];
  }

  private deviceOf(fpga: FoundFpga, images: readonly FpgaImageSettings[], report: ReportProblem): InventoryDevice {
    const { name, identity, card, access, pci, shellId, shellVersion, functionId, facts } = fpga;
    const attributes = new DeviceAttributes(name, report);
    attributes.string('type', access.kind);
    attributes.string('shellId', shellId);
    attributes.version('shellVersion', shellVersion);
    attributes.bool('programmable', images.length > 0);
    // Of one that is programmed for each claim this would tell what the last tenant had.
    attributes.string('functionId', images.length === 0 ? functionId : undefined);
    for (const [fact, value] of Object.entries(facts)) attributes.string(fact, value);
    if (pci !== undefined) pciAttributes(attributes, pci);
    for (const { id, safe } of images) {
      if (safe !== true) attributes.bool(imageAttribute(id), true);
    }
    return {
      name,
      identity,
      parts: [card],
      capacity: {},
      deviceNodes: access.deviceNodes,
      attributes: { ...attributes.values, ...this.settings.attributes },
    };
  }

  private allowed(device: string, id: string): FpgaImageSettings {
    const image = this.programmer.image(id);
    if (image === undefined) throw new NodeFailure('DRA356', 'terminal', `${device} is not programmed with '${id}': the image was taken off the list.`, { devices: [device] });
    return image;
  }

  private async reading(host: HostReader, { address, manager, deviceNodes }: FpgaAccess): Promise<Omit<DeviceReading, 'device'>> {
    const unhealthy = (code: string, message: string): Omit<DeviceReading, 'device'> => ({ health: 'unhealthy', code, message });
    const isThere = address === undefined ? await host.exists(manager ?? '/') : await isOnBus(host, address);
    if (isThere === false) return unhealthy('DRA352', `${address ?? manager ?? 'it'} does not answer any more`);
    const missing = await firstMissingNode(host, deviceNodes);
    if (missing !== undefined) return unhealthy('DRA352', `its device node ${missing} is gone`);
    const fault = manager === undefined ? undefined : await managerFault(host, manager);
    if (fault !== undefined) return unhealthy('DRA362', fault);
    const bus = address === undefined ? undefined : await fatalBusErrors(host, address);
    if (address !== undefined && bus !== undefined && this.errors.hasGrown(`bus ${address}`, bus)) return unhealthy('DRA361', `${address} had ${bus} fatal bus errors since boot`);
    return { health: isThere === undefined ? 'unknown' : 'healthy' };
  }
}
