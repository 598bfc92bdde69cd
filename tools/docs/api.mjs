// Writes API.md. jsii-docgen looks for assemblies in every folder below the project; npm links the project into its own node_modules, and now
// and then that circle ends in ELOOP. It gets a folder with the assemblies that count, and nothing else.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const PEERS = ['cdk8s', 'constructs'];

const folder = mkdtempSync(join(tmpdir(), 'api-'));
try {
  for (const file of ['package.json', '.jsii']) copyFileSync(join(ROOT, file), join(folder, file));
  mkdirSync(join(folder, 'node_modules'));
  for (const peer of PEERS) symlinkSync(join(ROOT, 'node_modules', peer), join(folder, 'node_modules', peer));
  execFileSync(join(ROOT, 'node_modules', '.bin', 'jsii-docgen'), ['-o', join(ROOT, 'API.md')], { cwd: folder, stdio: 'inherit' });
} finally {
  rmSync(folder, { recursive: true });
}
