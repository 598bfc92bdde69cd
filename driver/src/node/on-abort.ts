/**
 * Calls `then` when the signal is aborted, at once where it is already; what it returns ends that.
 *
 * Whoever follows a signal for a while ends it: with a listener, a signal that nobody aborts may never be freed. So it is this and not AbortSignal.any,
 * which in Node.js 20 leaves something at the signal that lives longest, and costs as much as a request.
 */
export function onAbort(signal: AbortSignal, then: () => void): () => void {
  if (signal.aborted) {
    then();
    return () => undefined;
  }
  signal.addEventListener('abort', then, { once: true });
  return () => signal.removeEventListener('abort', then);
}
