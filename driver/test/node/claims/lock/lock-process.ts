/** An agent as a process of its own: takes the lock, writes as fast as it can while it holds it, and yields when asked. Bundled by the test that starts it. */
import { appendFileSync } from 'node:fs';

import { SYSTEM_CLOCK } from '../../../../src/node/claims/clock.js';
import { WriterLock } from '../../../../src/node/claims/lock/writer-lock.js';

const [folder = '', log = '', ask = ''] = process.argv.slice(2);
const lock = new WriterLock(folder, { agent: String(process.pid), formats: [1] }, SYSTEM_CLOCK);
const never = new AbortController().signal;
// The clock's pauses keep no process alive; in an agent its HTTP server does, which is there from the first moment to the last.
setInterval(() => undefined, 1_000_000);

for (let wants = ask === 'ask'; ; wants = false) {
  const held = await lock.acquire(never, { ask: wants });
  if (held === undefined) throw new Error('the lock was given up');
  while (!held.yieldAsked.aborted) {
    // One write a turn, appended whole: the order of lines is the order of writes.
    appendFileSync(log, `${held.number} ${process.pid}\n`);
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  await held.end();
}
