// Faults on demand.
import { Failure } from './failure.mjs';
import { isAlive } from './process-identity.mjs';
import { killProcess, signal, startProcess, stopProcess } from './processes.mjs';
import { nameOption, writeState } from './state.mjs';

const DEEDS = {
  kill,
  restart,
  freeze,
  thaw,
  cut: onNode('cutNode'),
  heal: onNode('healNode'),
  fill: onNode('fillDirectory'),
  free: onNode('freeDirectory'),
  wipe: onNode('wipeDirectory'),
};

/** Deeds that also take a path of the node. */
const ON_PATHS = ['fill', 'free', 'wipe'];

/** Does a fault to a component, a node, or a directory of a node; answers what was done. */
export async function fault(state, deed, what, path) {
  const action = DEEDS[deed];
  if (action === undefined) throw new Failure(`A fault must be one of ${Object.keys(DEEDS).join(', ')}, got "${deed ?? ''}".`);
  if (path !== undefined && !ON_PATHS.includes(deed)) throw new Failure(`fault ${deed} does not take "${path}". See npm run cluster -- --help.`);
  return action(state, what, path);
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
    throw new Failure(`${name} is dead, so it cannot be frozen. Start it: npm run cluster -- fault restart ${name}${nameOption(state)}`);
  return `${name} is frozen.`;
}

function thaw(state, name) {
  if (!signal(component(state, name), 'SIGCONT'))
    throw new Failure(`${name} is dead, so it cannot be thawed. Start it: npm run cluster -- fault restart ${name}${nameOption(state)}`);
  return `${name} goes on.`;
}

function component(state, name) {
  // What holds a node's namespaces is no component: without it nothing could be started there again.
  const components = state.processes.filter(entry => !entry.name.endsWith('/namespace'));
  const process = components.find(entry => entry.name === name);
  if (process === undefined) throw new Failure(`A component must be one of ${components.map(entry => entry.name).join(', ')}, got "${name ?? ''}".`);
  return process;
}

function onNode(deed) {
  return async (state, name, path) => {
    const node = state.nodes.find(entry => entry.name === name);
    if (node === undefined) {
      if (state.nodes.length === 0) throw new Failure('This cluster has no nodes. Start one that has: npm run cluster -- up --nodes 1.');
      throw new Failure(`A node must be one of ${state.nodes.map(entry => entry.name).join(', ')}, got "${name ?? ''}".`);
    }
    return (await import('./node/nodes.mjs'))[deed](state, node, path);
  };
}
