import { onAbort } from '../on-abort.js';

/** Resolves when the turn has come or the signal is aborted, whichever is first. */
export async function turnOrLeave(turn: Promise<unknown>, leave: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined;
  await Promise.race([turn, new Promise<void>((resolve) => (stop = onAbort(leave, resolve)))]);
  stop();
}
