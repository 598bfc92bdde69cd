import type { ClaimOperation } from './claim-observer.js';
import type { ClaimStore } from './claim-store.js';
import type { DeviceWork } from './device-work.js';
import { asFailure } from './failure.js';
import type { ClaimRecord, RecordedDevice } from './record/claim-record.js';
import { UncleanDevice } from './unclean-device.js';

/** Gives a claim's devices back from its record alone. */
export class ReleaseClaim {
  public constructor(private readonly store: ClaimStore, private readonly devices: DeviceWork) {}

  /**
   * Undoes all devices, goes on past those that fail, and returns these; they stay held.
   *
   * Throws a NodeFailure when disk or CDI folder refuse; then the record stays and the same can be tried again.
   */
  public async release(record: ClaimRecord, operation: ClaimOperation): Promise<readonly UncleanDevice[]> {
    const releasing = await this.store.beginRelease(record);
    return this.undoAll(releasing, releasing.devices, [], operation);
  }

  /** As `release`, after a prepare that failed: `unclean` could not be undone, what is not in `touched` needs no undoing. */
  public async rollBack(
    record: ClaimRecord, touched: readonly RecordedDevice[], unclean: readonly UncleanDevice[],
  ): Promise<readonly UncleanDevice[]> {
    const releasing = await this.store.beginRelease(record);
    return this.undoAll(releasing, touched, unclean, 'prepare');
  }

  private async undoAll(
    record: ClaimRecord, touched: readonly RecordedDevice[], before: readonly UncleanDevice[], operation: ClaimOperation,
  ): Promise<readonly UncleanDevice[]> {
    const results = await Promise.allSettled(touched.map(async (device) => this.devices.undo(record.uid, device, operation)));
    const unclean = [...before, ...results.flatMap((result, index) => result.status === 'fulfilled' ? [] : [
      result.reason instanceof UncleanDevice ? result.reason : new UncleanDevice(touched[index]!, asFailure(result.reason, 'DRA359')),
    ])];
    await this.store.endRelease(record, unclean);
    return unclean;
  }
}
