// The control group that holds a node's pods, in either version of cgroups.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = '/sys/fs/cgroup';

/** What kubelet limits pods with. */
const CONTROLLERS = ['cpu', 'cpuset', 'memory', 'pids'];

/** `cgroup v1` or `cgroup v2`, whichever holds the controllers. */
export function cgroupVersion() {
  return isUnified() ? 'cgroup v2' : 'cgroup v1';
}

/** Why no node can run with the control groups of this machine; undefined if one can. */
export function cgroupProblem() {
  if (!existsSync(ROOT)) return `there are no control groups at ${ROOT}`;
  const there = isUnified() ? words('cgroup.controllers') : readdirSync(ROOT).flatMap(name => name.split(','));
  const missing = CONTROLLERS.filter(name => !there.includes(name));
  if (missing.length > 0) return `control groups lack ${missing.join(', ')} (${cgroupVersion()} at ${ROOT})`;
  const probe = `dra-probe-${process.pid}`;
  try {
    makeCgroup(probe);
    return undefined;
  } catch (error) {
    // Of a container without an init system, for instance: the kernel gives controllers only to groups of a group without processes.
    const why = error.code === 'EBUSY' ? 'its root group has processes, as in a container that does not run systemd' : error.message;
    return `no control group can be made at ${ROOT}: ${why}`;
  } finally {
    removeCgroup(probe);
  }
}

/** Makes a group in each hierarchy; kubelet wants it there before it starts. */
export function makeCgroup(name) {
  if (isUnified()) {
    // What the group is to limit, its parent must hand down.
    const handedDown = words('cgroup.subtree_control');
    const missing = CONTROLLERS.filter(controller => !handedDown.includes(controller));
    if (missing.length > 0) writeFileSync(join(ROOT, 'cgroup.subtree_control'), missing.map(controller => `+${controller}`).join(' '));
  }
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

function words(file) {
  return readFileSync(join(ROOT, file), 'utf8').trim().split(' ');
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
