// Writes driver/gen, the TypeScript face of driver/proto, with buf and ts-proto as installed here: nothing is downloaded.
// Run: node tools/protos/generate.mjs [--check]; with --check it writes nothing and fails when a file is not current.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { writeOrCheck } from '../generated-files.mjs';
import { ROOT } from '../load-model.mjs';

const DRIVER = join(ROOT, 'driver');
const OUTPUT = 'driver/gen';

const OPTIONS = {
  // int64 as it is: a time in nanoseconds does not fit into a number.
  forceLong: 'bigint',
  outputServices: 'grpc-js',
  outputJsonMethods: false,
  outputPartialMethods: false,
  importSuffix: '.js',
  esModuleInterop: true,
  annotateFilesWithVersion: false,
};

const folder = mkdtempSync(join(tmpdir(), 'protos-'));
try {
  const template = {
    version: 'v2',
    plugins: [
      {
        local: [process.execPath, join(ROOT, 'node_modules', 'ts-proto', 'protoc-gen-ts_proto')],
        out: folder,
        opt: Object.entries(OPTIONS).map(([name, value]) => `${name}=${value}`),
      },
    ],
  };
  const buf = join(ROOT, 'node_modules', '.bin', 'buf');
  execFileSync(buf, ['generate', 'proto', '--template', JSON.stringify(template)], { cwd: DRIVER, stdio: ['ignore', 'inherit', 'inherit'] });
  const files = new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath ?? entry.path, entry.name))
      .sort()
      .map(file => [join(OUTPUT, relative(folder, file)), readFileSync(file, 'utf8')]),
  );
  if (!process.argv.includes('--check') && existsSync(join(ROOT, OUTPUT))) rmSync(join(ROOT, OUTPUT), { recursive: true });
  writeOrCheck(files, 'node tools/protos/generate.mjs');
} finally {
  rmSync(folder, { recursive: true });
}
