// A pid alone names nobody: the kernel gives it to someone else later. With the time of its start, in this boot, it names one process.
import { readdirSync, readFileSync } from 'node:fs';

/** Environment variable that marks each process of a cluster with the cluster's folder; children inherit it. */
export const MARKER = 'CDK8S_DRA_CLUSTER_FOLDER';

/** Identity of this boot of the machine: pids in a state file from before it mean nothing. */
export function bootId() {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** State letter and start time (clock ticks since boot) of a process; undefined if there is none. */
export function processStat(pid) {
  let text;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The program's name stands in parentheses and may hold any character.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0], startTime: fields[19] };
}

/** Identity of a running process, to be kept in a file. */
export function identify(pid) {
  return { pid, startTime: processStat(pid)?.startTime, boot: bootId() };
}

/** Whether that very process still runs; one that ended but was not reaped does not. */
export function isAlive({ pid, startTime, boot }) {
  if (boot !== bootId()) return false;
  const stat = processStat(pid);
  return stat !== undefined && stat.startTime === startTime && stat.state !== 'Z' && stat.state !== 'X';
}

/** Whether that very process is stopped by a signal. */
export function isFrozen(identity) {
  return isAlive(identity) && processStat(identity.pid).state === 'T';
}

/** All processes that carry the mark of a cluster's folder, this one left out. */
export function markedProcesses(folder) {
  const found = [];
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    try {
      if (readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${MARKER}=${folder}`)) found.push(identify(pid));
    } catch {
      // Ended meanwhile, or another user's.
    }
  }
  return found.filter(isAlive);
}
