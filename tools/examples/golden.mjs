// Writes the golden folder of each example anew; look at the difference before it is committed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examplePrograms, render, ROOT } from './run.mjs';

for (const example of examplePrograms()) {
  const golden = join(ROOT, 'examples', example, 'golden');
  rmSync(golden, { recursive: true, force: true });
  const files = render(example);
  for (const [name, text] of files) {
    mkdirSync(dirname(join(golden, name)), { recursive: true });
    writeFileSync(join(golden, name), text);
  }
  console.log(`${example}: ${files.size} files`);
}
