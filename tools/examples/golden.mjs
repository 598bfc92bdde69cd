// Writes the golden folder of each example anew; look at the difference before it is committed.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examplePrograms, GOLDEN_FOLDERS, renderGolden, ROOT } from './run.mjs';

for (const example of examplePrograms()) {
  const folder = join(ROOT, 'examples', example);
  const files = renderGolden(example);
  for (const name of GOLDEN_FOLDERS) rmSync(join(folder, name), { recursive: true, force: true });
  for (const [name, text] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  console.log(`${example}: ${files.size} files`);
}
