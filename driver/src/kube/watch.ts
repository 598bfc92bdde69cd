import { Readable } from 'node:stream';

import { apiError, SilentWatchError } from './api-error.js';
import { parseExactJson } from './exact-json.js';
import type { KubeObject } from './object.js';

export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

/**
 * The events in the lines of a watch.
 *
 * An `ERROR` event is thrown as ApiError: reason `Expired` means that the resource version is too old, and only a new list helps.
 * A stream that is silent for `silence` milliseconds is thrown as SilentWatchError: a server that is asked for bookmarks
 * speaks about once a minute, so the other side of a silent connection is gone.
 */
export async function* watchEvents(stream: AsyncIterable<Buffer>, silence: number): AsyncGenerator<WatchEvent> {
  for await (const line of lines(limitedSilence(stream, silence))) {
    const { type, object } = parseExactJson(line) as { readonly type: string; readonly object: KubeObject & { readonly code?: number } };
    if (type === 'ERROR') throw apiError(object.code ?? 500, object);
    if (isEventType(type)) yield { type, object };
  }
}

function isEventType(type: string): type is WatchEvent['type'] {
  return type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED' || type === 'BOOKMARK';
}

async function* lines(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const piece of stream) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      pieces.push(piece.subarray(from, at));
      const line = Buffer.concat(pieces).toString('utf8');
      pieces = [];
      from = at + 1;
      if (line.trim() !== '') yield line;
    }
    if (from < piece.length) pieces.push(piece.subarray(from));
  }
}

const NEWLINE = 10;

async function* limitedSilence(stream: AsyncIterable<Buffer>, silence: number): AsyncGenerator<Buffer> {
  const pieces = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withLimit(pieces.next(), silence);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Must not be waited for: with a stream that hangs it waits for the piece that was asked for last, and the socket would stay open.
    pieces.return?.().catch(() => undefined);
    if (stream instanceof Readable) stream.on('error', () => undefined).destroy();
  }
}

async function withLimit<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SilentWatchError(`the watch was silent for ${milliseconds / 1000} s; its connection is taken for dead`)), milliseconds);
  });
  // The loser may still fail later, when nobody listens.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
