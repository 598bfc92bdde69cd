// Faults on demand.
import { Failure } from './failure.mjs';
import { isAlive } from './process-identity.mjs';
import { killProcess, signal, startProcess, stopProcess } from './processes.mjs';
import { writeState } from './state.mjs';

const DEEDS = { kill, restart, freeze, thaw, cut: onNode('cutNode'), heal: onNode('healNode') };

/** Does a fault to a component or a node; answers what was done. */
export async function fault(state, deed, what) {
  const action = DEEDS[deed];
  if (action === undefined) throw new Failure(`A fault must be one of ${Object.keys(DEEDS).join(', ')}, got "${deed ?? ''}".`);
  return action(state, what);
}

async function kill(state, name) {
  const process = component(state, name);
  if (!isAlive(process)) return `${name} is dead already.`;
  await killProcess(process);
  return `${name} was killed.`;
}

/** Starts a component again as it was started, after stopping it if it runs. */
async function restart(state, name) {
  const process = component(state, name);
  await stopProcess(process);
  const { command, log, env } = process;
  state.processes[state.processes.indexOf(process)] = startProcess(state.folder, { name, command, log, env }, { owned: state.owned });
  writeState(state);
  return `${name} was started again.`;
}

function freeze(state, name) {
  if (!signal(component(state, name), 'SIGSTOP'))
    throw new Failure(`${name} is dead, so it cannot be frozen. Start it: npm run cluster -- fault restart ${name}.`);
  return `${name} is frozen.`;
}

function thaw(state, name) {
  if (!signal(component(state, name), 'SIGCONT'))
    throw new Failure(`${name} is dead, so it cannot be thawed. Start it: npm run cluster -- fault restart ${name}.`);
  return `${name} goes on.`;
}

function component(state, name) {
  const process = state.processes.find(entry => entry.name === name);
  if (process === undefined)
    throw new Failure(`A component must be one of ${state.processes.map(entry => entry.name).join(', ')}, got "${name ?? ''}".`);
  return process;
}

function onNode(deed) {
  return async (state, name) => {
    const node = state.nodes.find(entry => entry.name === name);
    if (node === undefined) {
      const known =
        state.nodes.length === 0 ? 'this cluster has none; start one with --nodes 1' : `one of ${state.nodes.map(entry => entry.name).join(', ')}`;
      throw new Failure(`A node must be ${known}, got "${name ?? ''}".`);
    }
    return (await import('./node/nodes.mjs'))[deed](state, node);
  };
}
