// What generators have in common: write files, or with --check fail when one of them is not current.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './load-model.mjs';

/** Writes the files, by path inside the repository; with `--check` on the command line it only compares. */
export function writeOrCheck(files, command) {
  if (!process.argv.includes('--check')) {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(ROOT, name)), { recursive: true });
      writeFileSync(join(ROOT, name), text);
    }
    console.log(`${files.size} files written by ${command}`);
    return;
  }
  const stale = [...files].filter(([name, text]) => !existsSync(join(ROOT, name)) || readFileSync(join(ROOT, name), 'utf8') !== text);
  for (const [name] of stale) console.error(`${name} is not current: run ${command}`);
  process.exitCode = stale.length === 0 ? 0 : 1;
}
