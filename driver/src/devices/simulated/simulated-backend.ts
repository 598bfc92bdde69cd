import type { SimulatedSettings } from 'cdk8s-dra/model';
import { AGENT_SIM } from 'cdk8s-dra/model';

import { arrange } from '../arrangement.js';
import type { BackendHost } from '../backend-host.js';
import type { DeviceBackend, DeviceRelease, PreparedDevice } from '../backend.js';
import type { DeviceClaim } from '../device-claim.js';
import type { DeviceReading } from '../device-health.js';
import { envName } from '../env-name.js';
import type { Inventory, InventoryProblem } from '../inventory.js';
import type { JsonObject } from '../json.js';
import { NodeFailure } from '../node-failure.js';
import { claimConfig } from '../opaque-config.js';
import { publishable } from '../publishable.js';
import { requireDeviceNodes } from '../required-nodes.js';
import { fleetOf } from './simulated-fleet.js';
import type { Fleet, FleetMember } from './simulated-fleet.js';
import { SimulatedState } from './simulated-state.js';
import type { SimulatedUse } from './simulated-state.js';
import { contentOf, SimulatedSwitches, wait } from './simulated-switches.js';
import type { Switch } from './simulated-switches.js';

/** What a claim wants of a pretended device. */
interface SimulatedIntent {
  readonly claimUid: string;
  readonly shareId?: string;
  readonly isShared?: boolean;
  readonly adminAccess?: boolean;
  readonly mode?: string;
  readonly level?: number;
}

/** Any fleet from a file, with faults on demand: for tests, demonstrations and benchmarks. */
export class SimulatedBackend implements DeviceBackend {
  public readonly family = 'sim';
  private readonly fleet: Fleet;
  private readonly fleetProblems: InventoryProblem[] = [];
  private readonly members: ReadonlyMap<string, FleetMember>;
  private readonly state: SimulatedState;
  private readonly switches: SimulatedSwitches;

  public constructor(private readonly settings: SimulatedSettings, private readonly host: BackendHost) {
    this.fleet = fleetOf(settings.fleet, (problem) => this.fleetProblems.push(problem));
    this.members = new Map(this.fleet.members.map((member) => [member.device.name, member]));
    this.state = new SimulatedState(settings.stateFolder);
    this.switches = new SimulatedSwitches(settings.switchFolder);
  }

  public async discover(signal: AbortSignal): Promise<Inventory> {
    await this.switches.delay('all', 'slow-discover');
    signal.throwIfAborted();
    if (await this.switches.takes('all', 'fail-discover')) throw new NodeFailure('DRA342', 'retryable', 'The simulated hardware cannot be looked at: the switch fail-discover is on.');
    const on = await this.switches.look();
    const problems: InventoryProblem[] = [...this.fleetProblems];
    const present = this.fleet.members.filter(({ device: { name } }) => {
      if (contentOf(on, name, 'vanish') !== undefined) return false;
      if (contentOf(on, name, 'not-ready') === undefined) return true;
      problems.push({ code: 'DRA343', subject: name, message: `${name} is not offered: the switch not-ready is on.` });
      return false;
    });
    const devices = arrange(present.map(({ device }) => device), this.settings, (problem) => problems.push(problem));
    return publishable({ devices, counterSets: this.fleet.counterSets, problems });
  }

  public plan(claim: DeviceClaim): JsonObject {
    const { device: { name, allowMultipleAllocations }, shareId, adminAccess } = claim;
    const config = claimConfig(AGENT_SIM, claim);
    if (!this.members.has(name)) throw new NodeFailure('DRA352', 'retryable', `${name} is not in the fleet any more.`, { devices: [name] });
    if (allowMultipleAllocations === true && shareId === undefined && !adminAccess) {
      throw new NodeFailure('DRA353', 'terminal', `The allocation of ${name} names no share, but the device is shared. Delete the claim and make it anew.`, { devices: [name] });
    }
    return {
      claimUid: claim.claim.uid,
      ...(shareId !== undefined && { shareId }),
      ...(allowMultipleAllocations === true && { isShared: true }),
      ...(adminAccess && { adminAccess: true }),
      ...config,
    };
  }

  public async prepare({ device: { name } }: DeviceClaim, intent: JsonObject, signal: AbortSignal): Promise<PreparedDevice> {
    signal.throwIfAborted();
    const wanted = intent as unknown as SimulatedIntent;
    const member = this.members.get(name);
    if (member === undefined || await this.switches.content(name, 'vanish') !== undefined) throw new NodeFailure('DRA352', 'retryable', `${name} is not there any more.`, { devices: [name] });
    await this.fail(name, 'fail-prepare', 'retryable');
    await this.fail(name, 'refuse-prepare', 'terminal');
    await requireDeviceNodes(this.host.root, name, member.device.deviceNodes);
    if (wanted.adminAccess !== true) await this.setUp(name, wanted);
    return {
      edits: { ...member.edits, env: [...member.edits.env ?? [], ...configEnv(name, wanted)].sort() },
      vendorCdiDevices: [],
      state: { identity: member.device.identity },
    };
  }

  public async unprepare({ device, claimUid, shareId, intent }: DeviceRelease): Promise<void> {
    if ((intent as unknown as SimulatedIntent).adminAccess === true) return;
    await this.switches.delay(device, 'slow-unprepare', 'hang-unprepare');
    if (this.settings.unprepareMilliseconds !== undefined) await wait(this.settings.unprepareMilliseconds);
    await this.fail(device, 'fail-unprepare', 'retryable');
    await this.fail(device, 'fail-scrub', 'needs-cleanup');
    const uses = await this.state.uses(device);
    const left = uses.filter((use) => !isUse(use, claimUid, shareId));
    if (left.length < uses.length) await this.state.set(device, left);
  }

  public async health({ devices }: Inventory, signal: AbortSignal): Promise<readonly DeviceReading[]> {
    const on = await this.switches.look();
    signal.throwIfAborted();
    return devices.map(({ name }) => {
      const message = contentOf(on, name, 'unhealthy');
      if (contentOf(on, name, 'vanish') !== undefined) return { device: name, health: 'unhealthy', code: 'DRA352', message: 'the switch vanish is on' };
      if (message !== undefined) return { device: name, health: 'unhealthy', code: 'DRA363', message: message || 'the switch unhealthy is on' };
      return { device: name, health: contentOf(on, name, 'unknown-health') === undefined ? 'healthy' : 'unknown' };
    });
  }

  /** Like hardware it holds one claim, or shares; a claim that finds another one there was let through by mistake. */
  private async setUp(name: string, { claimUid, shareId, isShared }: SimulatedIntent): Promise<void> {
    const uses = await this.state.uses(name);
    const own = uses.find((use) => isUse(use, claimUid, shareId));
    if (own !== undefined && own.half !== true) return;
    const others = uses.filter((use) => use !== own);
    if (isShared !== true && others[0] !== undefined) {
      throw new NodeFailure('DRA363', 'needs-cleanup', `${name} is still set up for the claim ${others[0].claimUid}.`, { devices: [name] });
    }
    const use = { claimUid, ...(shareId !== undefined && { shareId }) };
    await this.state.set(name, [...others, { ...use, half: true }]);
    if (this.settings.prepareMilliseconds !== undefined) await wait(this.settings.prepareMilliseconds);
    await this.switches.delay(name, 'slow-prepare', 'hang-prepare');
    await this.fail(name, 'fail-half-prepare', 'retryable');
    await this.state.set(name, [...others, use]);
  }

  private async fail(device: string, name: Switch, failureClass: NodeFailure['failureClass']): Promise<void> {
    if (!await this.switches.takes(device, name)) return;
    throw new NodeFailure(failureClass === 'needs-cleanup' ? 'DRA359' : 'DRA363', failureClass, `${device} fails as it was told to: the switch ${name} is on.`, { devices: [device] });
  }
}

function isUse(use: SimulatedUse, claimUid: string, shareId: string | undefined): boolean {
  return use.claimUid === claimUid && use.shareId === shareId;
}

function configEnv(name: string, { mode, level }: SimulatedIntent): string[] {
  return [
    ...(mode === undefined ? [] : [`CDK8S_DRA_SIM_${envName(name)}_MODE=${mode}`]),
    ...(level === undefined ? [] : [`CDK8S_DRA_SIM_${envName(name)}_LEVEL=${level}`]),
  ];
}
