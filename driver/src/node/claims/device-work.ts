import type { Account } from './account.js';
import { pauseAfter } from './backoff.js';
import type { BackoffPolicy } from './backoff.js';
import type { ClaimObserver, ClaimOperation } from './claim-observer.js';
import type { Clock } from './clock.js';
import { asFailure, failure } from './failure.js';
import type { PlannedDevice } from './judge.js';
import type { PartOrder } from './part-order.js';
import type { RecordedDevice } from './record/claim-record.js';
import { UncleanDevice } from './unclean-device.js';
import type { DeviceBackend, PreparedDevice } from '../../devices/backend.js';
import { NodeFailure } from '../../devices/node-failure.js';
import { hasNoEdits, isQualifiedCdiName } from '../cdi/cdi-rules.js';

export interface DeviceWorkOptions {
  readonly backend: DeviceBackend;
  readonly account: Pick<Account, 'isLastUse' | 'setUndone'>;
  readonly order: PartOrder;
  readonly clock: Clock;
  readonly random: () => number;
  readonly observer: ClaimObserver;
  readonly tries: { readonly most: number; readonly backoff: BackoffPolicy };
}

/** A device of a claim is on the way in or out: work on one piece of hardware in order, tries with growing pauses, nothing left half done. */
export class DeviceWork {
  public constructor(private readonly options: DeviceWorkOptions) {}

  /**
   * Makes a device ready. Before each further try, and before it throws, what was begun is undone; where that fails too, the failure thrown is
   * an UncleanDevice.
   */
  public async makeReady({ claim, recorded }: PlannedDevice, overtaken: AbortSignal): Promise<RecordedDevice> {
    return this.options.order.run(recorded.parts, async () => {
      for (let failures = 1; ; failures++) {
        // Not a step of hardware may begin for a claim that kubelet wants back already.
        if (overtaken.aborted) throw failure('DRA319', `device ${recorded.device} was not touched`, { devices: [recorded.device] });
        this.options.account.setUndone(claim.claim.uid, recorded, false);
        try {
          const prepared = await this.measured('prepare', recorded, async () => checked(recorded, await this.options.backend.prepare(claim, recorded.intent, overtaken)));
          return { ...recorded, prepared };
        } catch (error) {
          const failed = ofDevice(error, 'DRA338', recorded);
          await this.undoNow(claim.claim.uid, recorded, 'prepare');
          if (failed.failureClass === 'needs-cleanup') throw new UncleanDevice(recorded, failed);
          if (failed.failureClass === 'terminal' || failures >= this.options.tries.most || overtaken.aborted) throw failed;
          await this.pause('prepare', recorded, failed, failures, overtaken);
        }
      }
    });
  }

  /** Once more for a device that containers may be using: one try, and nothing is undone when it fails. */
  public async makeReadyAgain({ claim, recorded }: PlannedDevice, overtaken: AbortSignal): Promise<RecordedDevice> {
    return this.options.order.run(recorded.parts, async () => {
      if (overtaken.aborted) throw failure('DRA319', `device ${recorded.device} was not touched`, { devices: [recorded.device] });
      const prepared = await this.measured('prepare', recorded, async () => checked(recorded, await this.options.backend.prepare(claim, recorded.intent, overtaken)));
      return { ...recorded, prepared };
    });
  }

  /** Gives a device back, or throws an UncleanDevice. What was given back already is so again. */
  public async undo(uid: string, recorded: RecordedDevice, operation: ClaimOperation): Promise<void> {
    await this.options.order.run(recorded.parts, async () => this.undoNow(uid, recorded, operation));
  }

  /** Within the turn of the device. */
  private async undoNow(uid: string, recorded: RecordedDevice, operation: ClaimOperation): Promise<void> {
    const { device, shareId, intent, prepared, adminAccess } = recorded;
    for (let failures = 1; ; failures++) {
      try {
        await this.measured(operation === 'prepare' ? 'clean-up' : operation, recorded, async () => this.options.backend.unprepare({
          claimUid: uid,
          device,
          ...(shareId === undefined ? {} : { shareId }),
          intent,
          ...(prepared === undefined ? {} : { state: prepared.state }),
          adminAccess,
          last: this.options.account.isLastUse(uid, recorded),
        }));
        this.options.account.setUndone(uid, recorded, true);
        return;
      } catch (error) {
        const failed = ofDevice(error, 'DRA359', recorded);
        if (failed.failureClass !== 'retryable' || failures >= this.options.tries.most) throw new UncleanDevice(recorded, failed);
        await this.pause(operation, recorded, failed, failures);
      }
    }
  }

  private async pause(
    operation: ClaimOperation, { device }: RecordedDevice, { code, message }: NodeFailure, failures: number, signal?: AbortSignal,
  ): Promise<void> {
    const { tries, random, clock, observer } = this.options;
    const pause = pauseAfter(failures, tries.backoff, random);
    observer.retried({ operation, device, code, message, failures, pauseSeconds: pause / 1000 });
    await clock.sleep(pause, signal);
  }

  private async measured<T>(operation: ClaimOperation, { device }: RecordedDevice, work: () => Promise<T>): Promise<T> {
    const { clock, observer } = this.options;
    const begun = clock.monotonic();
    const end = (outcome: 'ok' | NodeFailure['failureClass']) => observer.stage({ operation, stage: 'device', outcome, seconds: (clock.monotonic() - begun) / 1000, device });
    try {
      const result = await work();
      end('ok');
      return result;
    } catch (error) {
      end(asFailure(error, 'DRA338').failureClass);
      throw error;
    }
  }
}

/** What a backend threw; that it is about this device goes without saying only in the backend. */
function ofDevice(error: unknown, code: string, { device }: RecordedDevice): NodeFailure {
  const failed = asFailure(error, code);
  return error instanceof NodeFailure ? failed : failure(code, `device ${device}: ${failed.message}`, { devices: [device], cause: error });
}

/** What a backend made must reach the container. */
function checked({ device }: RecordedDevice, { edits, vendorCdiDevices, state, networkData }: PreparedDevice): NonNullable<RecordedDevice['prepared']> {
  if (hasNoEdits(edits) && vendorCdiDevices.length === 0) throw failure('DRA335', `device ${device} was prepared, and there is nothing for the container`, { devices: [device] });
  const wrong = vendorCdiDevices.find((name) => !isQualifiedCdiName(name));
  if (wrong !== undefined) throw failure('DRA336', `device ${device} names '${wrong}', which is no CDI device`, { devices: [device] });
  const bytes = networkData === undefined ? 0 : Buffer.byteLength(JSON.stringify(networkData));
  if (bytes > MAX_NETWORK_DATA) throw failure('DRA337', `device ${device} has ${bytes} bytes of network data; ${MAX_NETWORK_DATA} are the most`, { devices: [device] });
  return { edits, vendorCdiDevices, state, ...(networkData === undefined ? {} : { networkData }) };
}

/** As for `status.devices[].data`; the network data of one device is far smaller. */
const MAX_NETWORK_DATA = 10 * 1024;
