import type { RecordedDevice } from './record/claim-record.js';
import type { NodeFailure } from '../../devices/node-failure.js';

/** A device that could not be brought back to a clean state; it must be kept from everybody. */
export class UncleanDevice extends Error {
  public override readonly name = 'UncleanDevice';

  public constructor(public readonly device: RecordedDevice, public readonly failure: NodeFailure) {
    super(failure.message, { cause: failure });
  }
}
