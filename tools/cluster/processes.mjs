import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { Failure } from './failure.mjs';
import { identify, isAlive, isFrozen, MARKER, markedProcesses } from './process-identity.mjs';
import { sleep, waitFor } from './wait.mjs';

/**
 * @typedef {object} Component
 * @property {string} name name as in `logs` and `fault`
 * @property {string[]} command program and arguments
 * @property {string} log file that gets both output streams
 * @property {Record<string, string>} [env] environment beside PATH and HOME
 */

/**
 * Starts a component detached from this program, so that it outlives it.
 *
 * With `owned` it dies with this program instead, however that ends.
 *
 * @param {string} folder the cluster's folder, which marks the process
 * @param {Component} component
 */
export function startProcess(folder, { name, command, log, env }, { owned = false } = {}) {
  const output = openSync(log, 'a');
  const [program, ...args] = owned && existsSync(SETPRIV) ? [SETPRIV, '--pdeathsig', 'KILL', '--', ...command] : command;
  try {
    const child = spawn(program, args, {
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
      env: { PATH: process.env.PATH, HOME: folder, [MARKER]: folder, ...env },
    });
    // The wait for readiness reports it, with the log; without a listener Node would end here.
    child.on('error', () => {});
    child.unref();
    if (child.pid === undefined) throw new Failure(`${name} could not be started: ${program} does not run on this machine.`);
    return { name, command, log, env, ...identify(child.pid) };
  } finally {
    closeSync(output);
  }
}

const SETPRIV = '/usr/bin/setpriv';

/** Sends a signal to that very process; false if it is gone. */
export function signal(identity, name) {
  if (!isAlive(identity)) return false;
  try {
    process.kill(identity.pid, name);
    return true;
  } catch {
    return false;
  }
}

/** Ends a process: TERM, then KILL after the grace. Resolves when it is gone. */
export async function stopProcess(identity, { graceSeconds = 10 } = {}) {
  if (isFrozen(identity)) signal(identity, 'SIGCONT');
  if (!signal(identity, 'SIGTERM')) return;
  if (await goneWithin(identity, graceSeconds)) return;
  await killProcess(identity);
}

/** Ends a process at once. */
export async function killProcess(identity) {
  if (!signal(identity, 'SIGKILL')) return;
  await waitFor(`process ${identity.pid} to end after SIGKILL`, () => (isAlive(identity) ? 'still there' : { done: true }), {
    seconds: 20,
    every: 20,
  });
}

/** Ends what still carries the cluster's mark: shims, or a process that started just before a crash and stands in no state file. */
export async function killMarked(folder, isWanted = () => true) {
  for (let round = 0; round < 5; round++) {
    const left = markedProcesses(folder).filter(({ pid }) => isWanted(pid));
    if (left.length === 0) return;
    for (const identity of left) await killProcess(identity);
  }
}

/** The last lines of a log that say something. */
export function lastLines(file, count = 12) {
  if (!existsSync(file)) return '(no log)';
  const lines = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .filter(line => line.trim() !== '');
  const told = lines.slice(-count).map(line => (line.length > 300 ? `${line.slice(0, 300)} …` : line));
  return told.length === 0 ? '(the log is empty)' : told.join('\n');
}

async function goneWithin(identity, seconds) {
  const end = Date.now() + seconds * 1000;
  while (isAlive(identity)) {
    if (Date.now() > end) return false;
    await sleep(20);
  }
  return true;
}
