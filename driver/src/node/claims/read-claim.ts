import { agentMode } from 'cdk8s-dra/model';
import type { NodeMarks } from 'cdk8s-dra/model';

import type { NodeFailure } from '../../devices/node-failure.js';
import { isApiError } from '../../kube/api-error.js';
import type { ClaimName } from '../claim-service.js';
import { onAbort } from '../on-abort.js';
import { allocatedClaim } from './allocation.js';
import type { AllocatedClaim } from './allocation.js';
import { pauseAfter } from './backoff.js';
import type { BackoffPolicy } from './backoff.js';
import type { Clock } from './clock.js';
import { failure } from './failure.js';

/** What the claims need of the API server. Raw objects, never from a cache; no answer and refusals are thrown. */
export interface ClusterReader {
  /** The ResourceClaim; undefined when there is none of that name. */
  claim(namespace: string, name: string, signal: AbortSignal): Promise<unknown>;
  /** The Node that the agent runs on. */
  node(signal: AbortSignal): Promise<{ readonly metadata?: NodeMarks }>;
}

export interface ReadOptions {
  readonly reader: ClusterReader;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds for all tries together; kubelet gives up after 45 s. */
  readonly timeout: number;
  readonly backoff: BackoffPolicy;
  readonly driver: string;
  readonly node: string;
  readonly family: string;
}

/** What the claim gives this node, read freshly together with the owner of its devices. */
export async function readClaim(name: ClaimName, signal: AbortSignal, options: ReadOptions): Promise<AllocatedClaim> {
  const { reader, driver, node, family } = options;
  const [claim] = await within(signal, options, async (limit, notes) => Promise.all([
    retried('the claim', limit, notes, options, async () => reader.claim(name.namespace, name.name, limit)),
    retried('the node', limit, notes, options, async () => reader.node(limit)).then(({ metadata }) => {
      if (agentMode(family, metadata ?? {}) === 'observe') throw failure('DRA304', `the owner of ${family} devices on node ${node} is not dra`);
    }),
  ]));
  if (claim === undefined) throw failure('DRA311', `there is no claim ${name.namespace}/${name.name}`);
  const found = (claim as { readonly metadata?: { readonly uid?: unknown } }).metadata?.uid;
  if (found !== name.uid) throw failure('DRA312', `claim ${name.namespace}/${name.name} has the UID ${String(found)}, not ${name.uid}`);
  return allocatedClaim(claim, { driver, node });
}

/** The claim as it is now, for a look that may fail: `undefined` when it is gone. */
export async function lookAtClaim(name: ClaimName, signal: AbortSignal, options: Pick<ReadOptions, 'reader' | 'clock' | 'timeout'>): Promise<unknown> {
  return within(signal, options, async (limit) => {
    try {
      return await options.reader.claim(name.namespace, name.name, limit);
    } catch (error) {
      throw readFailure('the claim', error);
    }
  });
}

/** Ends in time also when what is read does not heed its signal. */
async function within<T>(
  signal: AbortSignal,
  { clock, timeout }: Pick<ReadOptions, 'clock' | 'timeout'>,
  read: (limit: AbortSignal, notes: Notes) => Promise<T>,
): Promise<T> {
  const notes: Notes = {};
  const over = new AbortController();
  const limit = new AbortController();
  const stop = onAbort(signal, () => limit.abort(signal.reason));
  void clock.sleep(timeout, over.signal).then(() => {
    if (!over.signal.aborted) limit.abort(EXPIRED);
  });
  try {
    return await new Promise<T>((resolve, reject) => {
      const leave = () => reject(signal.aborted
        ? failure('DRA319', 'the call was given up while the claim was read')
        : notes.last ?? failure('DRA301', `no answer within ${timeout / 1000} s`));
      if (limit.signal.aborted) return leave();
      limit.signal.addEventListener('abort', leave, { once: true });
      read(limit.signal, notes).then(resolve, reject);
    });
  } finally {
    stop();
    over.abort(OVER);
  }
}

/** Nobody asks for it; an abort without a reason makes an error with a stack, for each call. */
const OVER = 'over';
const EXPIRED = 'the time is up';

/** Why the last try failed, to be told when time is up. */
interface Notes {
  last?: NodeFailure;
}

/** Tries again what may succeed, for as long as there is time: kubelet comes back only after ten seconds and more. */
async function retried<T>(
  what: string, limit: AbortSignal, notes: Notes, { clock, backoff, random }: ReadOptions, read: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await read();
    } catch (error) {
      const failed = readFailure(what, error);
      notes.last = failed;
      if (limit.aborted || (isApiError(error) && !error.isRetryable)) throw failed;
      await clock.sleep(pauseAfter(failures, backoff, random), limit);
      if (limit.aborted) throw failed;
    }
  }
}

function readFailure(what: string, error: unknown): NodeFailure {
  if (isApiError(error) && [401, 403].includes(error.status)) return failure('DRA302', `${what} may not be read: ${error.message}`, { cause: error });
  return failure('DRA301', `cannot read ${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
}
