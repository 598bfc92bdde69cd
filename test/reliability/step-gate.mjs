/**
 * Preloaded into the agent: stops it before or after one step on the disk until it is let go on, and makes the disk full on demand.
 *
 * A folder, named by GATE_FOLDER, is all that passes: `plan` says `before` or `after`, the step, and how many of them pass first; `reached` appears
 * when the agent stands there; `go` lets it on; `full` fills the disk. The agent stands still as a whole, as it would in a system call.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';

const GATE = process.env.GATE_FOLDER;
const [CLAIMS, CDI, HARDWARE] = process.env.GATE_WATCHED.split(':');
const JOURNAL = `${CLAIMS}.journal`;
const real = { ...fs };
const realPromises = { ...fs.promises };
const still = new Int32Array(new SharedArrayBuffer(4));
const opened = new Map();
let passed = 0;

const isThere = name => real.existsSync(join(GATE, name));

function stop(when, step) {
  if (step === undefined || !isThere('plan')) return;
  const [planned, wanted, ordinal] = real.readFileSync(join(GATE, 'plan'), 'utf8').split('|');
  if (planned !== when || wanted !== step || passed++ < Number(ordinal)) return;
  passed = 0;
  real.unlinkSync(join(GATE, 'plan'));
  real.writeFileSync(join(GATE, 'reached'), '');
  while (!isThere('go')) Atomics.wait(still, 0, 0, 2);
  real.unlinkSync(join(GATE, 'go'));
}

/** What a call on a path is a step of; undefined when it is none of ours. */
function stepOf(operation, path, target) {
  const file = String(path);
  if (file === JOURNAL) return { write: 'write journal', fdatasync: 'sync journal' }[operation];
  if (file.startsWith(CLAIMS)) {
    // What loses its name stays as a spare file.
    if (operation === 'rename') return target.endsWith('.tmp') ? 'remove record' : target.endsWith('.releasing.json') ? 'mark record' : 'place record';
    return { write: 'write record', link: 'keep record' }[operation];
  }
  if (file.startsWith(CDI)) return { create: 'create CDI file', rename: 'place CDI file', unlink: basename(file).startsWith('.') ? undefined : 'remove CDI file' }[operation];
  if (file.startsWith(HARDWARE)) return { writeFile: 'set up hardware', unlink: 'undo hardware' }[operation];
  return undefined;
}

const NEEDS_ROOM = new Set(['create', 'write', 'writeFile']);

function refuseFull(operation, path) {
  // The room of the journal was taken before.
  if (!NEEDS_ROOM.has(operation) || path === JOURNAL || !isThere('full') || ![CLAIMS, CDI].some(folder => String(path).startsWith(folder))) return;
  throw Object.assign(new Error(`ENOSPC: no space left on device, ${operation} '${path}'`), { code: 'ENOSPC' });
}

function gated(operation, step, path, work) {
  refuseFull(operation, path);
  stop('before', step);
  // The disk may have become full meanwhile.
  refuseFull(operation, path);
  const result = work();
  if (result instanceof Promise) {
    return result.then(value => {
      stop('after', step);
      return value;
    });
  }
  stop('after', step);
  return result;
}

fs.openSync = (path, flags, ...more) => {
  const operation = typeof flags === 'string' && flags.startsWith('w') ? 'create' : 'open';
  const file = gated(operation, operation === 'create' ? stepOf('create', path) : undefined, path, () => real.openSync(path, flags, ...more));
  opened.set(file, path);
  return file;
};
fs.writeSync = (file, ...more) => {
  const path = opened.get(file) ?? '';
  return gated('write', stepOf('write', path), path, () => real.writeSync(file, ...more));
};
fs.renameSync = (from, to) => gated('rename', stepOf('rename', from, to), from, () => real.renameSync(from, to));
fs.linkSync = (path, to) => gated('link', stepOf('link', path), path, () => real.linkSync(path, to));
fs.unlinkSync = path => gated('unlink', stepOf('unlink', path), path, () => real.unlinkSync(path));
for (const operation of ['fdatasync', 'fsync']) {
  fs[operation] = (file, done) => {
    stop('before', stepOf(operation, opened.get(file) ?? ''));
    real[operation](file, error => {
      if (error === null) stop('after', stepOf(operation, opened.get(file) ?? ''));
      done(error);
    });
  };
}
fs.promises.writeFile = (path, ...more) => gated('writeFile', stepOf('writeFile', path), path, () => realPromises.writeFile(path, ...more));
fs.promises.unlink = path => gated('unlink', stepOf('unlink', path), path, () => realPromises.unlink(path));
syncBuiltinESMExports();
