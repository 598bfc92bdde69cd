import { NodeFailure } from '../node-failure.js';
import { HostFileError } from './host-file-error.js';

/** Turns a folder that cannot be read into a retryable failure: nothing is known then, which is not the same as nothing being there. */
export async function readHost<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HostFileError)) throw error;
    throw new NodeFailure('DRA342', 'retryable', `The hardware cannot be looked at: ${error.message} on the host. See that the pod mounts it.`, { cause: error });
  }
}
