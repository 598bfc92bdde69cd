import type { Steps } from './steps.js';
import type { DeviceBackend, DeviceRelease } from '../../../../src/devices/backend.js';
import type { DeviceClaim } from '../../../../src/devices/device-claim.js';
import type { Inventory, InventoryDevice } from '../../../../src/devices/inventory.js';
import type { JsonObject } from '../../../../src/devices/json.js';
import { NodeFailure } from '../../../../src/devices/node-failure.js';

/** What a device is set up for. */
interface Use {
  readonly key: string;
  readonly claimUid: string;
  readonly isShare: boolean;
  readonly mode: string;
  /** Of three: bind, configure, enable. */
  done: number;
}

export function device(name: string, more: Partial<InventoryDevice> = {}): InventoryDevice {
  return { name, identity: `serial-${name}`, parts: [], attributes: {}, capacity: {}, deviceNodes: [`/dev/${name}`], ...more };
}

export function inventoryOf(devices: readonly InventoryDevice[], counterSets: Inventory['counterSets'] = []): Inventory {
  return { devices, counterSets, problems: [] };
}

/**
 * Hardware that outlives agents, and notes when it is used in a way that must never be.
 *
 * To prepare is three steps and to give back three, each of which an agent can die in.
 */
export class FakeHardware {
  private uses = new Map<string, Map<string, Use>>();
  /** Devices that a share was on and nobody has scrubbed. */
  private readonly dirty = new Set<string>();
  public readonly violations: string[] = [];
  /** Device nodes that do not exist. */
  public readonly missingNodes = new Set<string>();
  /** As FPGAs and partitions do: what was set up is there after a loss of power of the host. */
  public outlivesReboots = false;
  public prepares = 0;
  public unprepares = 0;

  public constructor(public inventory: Inventory) {}

  /** Claims for which a device is ready. */
  public ready(): { readonly [device: string]: readonly string[] } {
    return this.setUp(STEPS.length);
  }

  /** Claims for which something was done to a device, of three steps at least so many. */
  public setUp(steps = 1): { readonly [device: string]: readonly string[] } {
    return Object.fromEntries([...this.uses].flatMap(([name, uses]) => {
      const keys = [...uses.values()].filter(({ done }) => done >= steps).map(({ key }) => key).sort();
      return keys.length === 0 ? [] : [[name, keys]];
    }));
  }

  /** Devices that are not as they came. */
  public get touched(): readonly string[] {
    return [...new Set([...[...this.uses].filter(([, uses]) => uses.size > 0).map(([name]) => name), ...this.dirty])].sort();
  }

  public reboot(): void {
    if (this.outlivesReboots) return;
    this.uses = new Map();
    this.dirty.clear();
  }

  public backend(steps: Steps): DeviceBackend {
    return {
      family: 'gpu',
      discover: async () => this.inventory,
      plan: (claim) => this.plan(claim),
      prepare: async (claim, intent) => {
        this.prepares += 1;
        for (const [index, step] of STEPS.entries()) await steps.take(`hardware ${step} ${claim.device.name}`, () => this.advance(claim, intent, index));
        const missing = claim.device.deviceNodes.find((node) => this.missingNodes.has(node));
        if (missing !== undefined) throw new NodeFailure('DRA350', 'retryable', `there is no ${missing}`);
        return {
          edits: { env: [`DEVICE=${claim.device.name}`], deviceNodes: claim.device.deviceNodes.map((path) => ({ path })) },
          vendorCdiDevices: [],
          state: { serial: claim.device.identity },
        };
      },
      unprepare: async (release) => {
        this.unprepares += 1;
        for (const step of [...STEPS].reverse()) await steps.take(`hardware un${step} ${release.device}`, () => this.retreat(release, step));
      },
      health: async () => [],
    };
  }

  private plan({ device: { name }, config, adminAccess, shareId }: DeviceClaim): JsonObject {
    const modes = config.map((parameters) => {
      const unknown = Object.keys(parameters).find((key) => key !== 'mode');
      if (unknown !== undefined) throw new NodeFailure('DRA341', 'terminal', `the configuration for ${name} has the unknown field '${unknown}'`);
      if (typeof parameters.mode !== 'string') throw new NodeFailure('DRA341', 'terminal', `the configuration for ${name} has a mode that is no text`);
      return parameters.mode;
    });
    return { device: name, mode: modes.at(-1) ?? 'plain', modes, ...(adminAccess ? { watch: true } : {}), ...(shareId === undefined ? {} : { share: shareId }) };
  }

  private advance(claim: DeviceClaim, intent: JsonObject, step: number): void {
    if (claim.adminAccess) return;
    const { name } = claim.device;
    const uses = this.uses.get(name) ?? new Map<string, Use>();
    this.uses.set(name, uses);
    const key = claim.shareId === undefined ? claim.claim.uid : `${claim.claim.uid}/${claim.shareId}`;
    const other = [...uses.values()].find((use) => use.key !== key && !(use.isShare && claim.shareId !== undefined));
    if (other !== undefined) this.violations.push(`${name} was given to ${key} while ${other.key} had it`);
    const mine = uses.get(key) ?? { key, claimUid: claim.claim.uid, isShare: claim.shareId !== undefined, mode: String(intent.mode), done: 0 };
    if (mine.mode !== intent.mode) this.violations.push(`${name} was prepared as ${String(intent.mode)} while it was ${mine.mode}`);
    if (mine.isShare) this.dirty.add(name);
    const shares = [...uses.values()].filter((use) => use.key !== key).length + 1;
    if (claim.device.maxShares !== undefined && shares > claim.device.maxShares) this.violations.push(`${name} has ${shares} shares`);
    mine.done = Math.max(mine.done, step + 1);
    uses.set(key, mine);
  }

  private retreat({ claimUid, device: name, shareId, adminAccess, last, intent }: DeviceRelease, step: string): void {
    if (intent.device !== name) this.violations.push(`${name} was undone with the intent of ${String(intent.device)}`);
    if (adminAccess) {
      if (last) this.violations.push(`the end of monitoring was taken for the last use of ${name}`);
      return;
    }
    const uses = this.uses.get(name);
    const key = shareId === undefined ? claimUid : `${claimUid}/${shareId}`;
    // What a driver does to a device when it resets it, it does to whoever has it.
    const others = [...uses?.values() ?? []].filter((use) => use.key !== key);
    if (last && others.length > 0) this.violations.push(`${name} was reset for ${key} while ${others.map((use) => use.key).join()} had it`);
    if (step === STEPS[0]) {
      uses?.delete(key);
      if (last) this.dirty.delete(name);
    }
  }
}

const STEPS = ['bind', 'configure', 'enable'] as const;
