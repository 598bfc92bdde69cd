// Meets the agent's bundle with each fault at each step and writes docs/reliability.md. Run: npm run reliability [-- --check]
// With --operation prepare or --fault 'disk full' it tries only those, and writes nothing.
import { parseArgs } from 'node:util';
import { writeOrCheck } from '../../tools/generated-files.mjs';
import { pageText } from './page.mjs';
import { FAULTS, STEPS, tryCell } from './trials.mjs';
import { World } from './world.mjs';

const { values: { operation: only, fault: onlyFault } } = parseArgs({
  options: { check: { type: 'boolean' }, operation: { type: 'string' }, fault: { type: 'string' } },
});

const table = {};
let broken = 0;
for (const [operation, steps] of Object.entries(STEPS)) {
  if (only === undefined || only === operation) table[operation] = steps.map(({ text }) => ({ text, cells: {} }));
}
for (const [name, fault] of Object.entries(FAULTS)) {
  if (onlyFault !== undefined && onlyFault !== name) continue;
  let world = await World.start();
  for (const [operation, rows] of Object.entries(table)) {
    for (const [index, step] of STEPS[operation].entries()) {
      const { text, isBroken, log } = await tryCell(world, operation, step, fault);
      rows[index].cells[name] = text;
      console.error(`${operation}: ${step.text}: ${name}: ${text}${log === undefined ? '' : `\n${log}`}`);
      if (!isBroken) continue;
      broken++;
      // What went wrong must not spoil the next.
      await world.remove();
      world = await World.start();
    }
  }
  await world.remove();
}
if (only === undefined && onlyFault === undefined) writeOrCheck(new Map([['docs/reliability.md', pageText(table)]]), 'npm run reliability');
if (broken > 0) {
  console.error(`${broken} cells are not as they must be.`);
  process.exitCode = 1;
}
