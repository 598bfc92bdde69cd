import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

test.each(['tools/profiles/generate.mjs', 'tools/docs/features.mjs', 'tools/docs/checks.mjs', 'tools/docs/compatibility.mjs'])('what %s writes is current', tool => {
  expect(() => execFileSync(process.execPath, [tool, '--check'], { cwd: join(__dirname, '..'), stdio: 'pipe' })).not.toThrow();
});
