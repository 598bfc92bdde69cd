/** Resolves after that many milliseconds. */
export function sleep(milliseconds) {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}

/** Thrown when the time is over; the message shows the last state seen. */
export class Timeout extends Error {}

/**
 * Asks again and again until the answer is done.
 *
 * @param {string} what what is waited for, as in "the pod to run"
 * @param {() => unknown} probe answers `{ done: value }`, or anything else, which is shown if the time is over; a throw counts as not done
 * @param {{ seconds?: number, every?: number }} options deadline in seconds, 30 by default; pause between two questions in milliseconds,
 * 100 by default
 */
export async function waitFor(what, probe, { seconds = 30, every = 100 } = {}) {
  const end = Date.now() + seconds * 1000;
  let last;
  for (;;) {
    try {
      last = await probe();
      if (last !== null && typeof last === 'object' && 'done' in last) return last.done;
    } catch (error) {
      if (error?.fatal) throw error;
      last = error instanceof Error ? error.message : error;
    }
    if (Date.now() >= end) throw new Timeout(`Waited ${seconds} s for ${what}. Last state: ${describe(last)}`);
    await sleep(every);
  }
}

function describe(state) {
  const text = typeof state === 'string' ? state : JSON.stringify(state);
  return text === undefined ? 'none' : text.length > 2000 ? `${text.slice(0, 2000)} …` : text;
}
