// The control group that holds a node's pods, in either version of cgroups.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** Makes a group in each hierarchy; kubelet wants it there before it starts. */
export function makeCgroup(name) {
  for (const hierarchy of hierarchies()) {
    const folder = join(hierarchy, name);
    mkdirSync(folder, { recursive: true });
    // A new cpuset has no processors, and nothing can run in it.
    for (const file of ['cpuset.cpus', 'cpuset.mems']) {
      if (existsSync(join(hierarchy, file)) && !isUnified()) writeFileSync(join(folder, file), readFileSync(join(hierarchy, file)));
    }
  }
}

/** Processes in a group and below it. */
export function processesIn(name) {
  const pids = new Set();
  for (const hierarchy of hierarchies()) {
    visit(join(hierarchy, name), folder => {
      for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n')) if (pid !== '') pids.add(Number(pid));
    });
  }
  return [...pids];
}

/** Removes an empty group and those below it; false while something is still in it. */
export function removeCgroup(name) {
  let isGone = true;
  for (const hierarchy of hierarchies()) {
    visit(join(hierarchy, name), folder => {
      try {
        rmdirSync(folder);
      } catch {
        isGone = false;
      }
    });
  }
  return isGone;
}

function isUnified() {
  return existsSync(join(ROOT, 'cgroup.controllers'));
}

function hierarchies() {
  if (isUnified()) return [ROOT];
  return readdirSync(ROOT)
    .map(name => join(ROOT, name))
    .filter(folder => existsSync(join(folder, 'cgroup.procs')));
}

/** Innermost first. */
function visit(folder, action) {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (statSync(path).isDirectory()) visit(path, action);
  }
  action(folder);
}
