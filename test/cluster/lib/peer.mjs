// Foreign drivers on a real node, with switches that make them misbehave.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { fault } from '../../../tools/cluster/faults.mjs';
import { nodeFolder } from '../../../tools/cluster/node/node-files.mjs';
import { pathOnNode, startOnNode, stopOnNode } from '../../../tools/cluster/node/nodes.mjs';
import { isAlive } from '../../../tools/cluster/process-identity.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';

/**
 * Starts a peer on a node.
 *
 * @param {import('./cluster.mjs').TestCluster} cluster
 * @param {{ kind: 'peer-dra-driver' | 'peer-device-plugin', name: string, node: object, devices?: number }} peer
 * `name`: driver name, or extended resource of the device plugin
 */
export function startPeer({ state }, { kind, name, node, devices = 4 }) {
  const switches = join(nodeFolder(state, node), `switches-${kind}`);
  mkdirSync(switches, { recursive: true });
  startOnNode(state, node, kind, [
    join(state.programs, kind),
    `--name=${name}`,
    `--node=${node.name}`,
    `--kubeconfig=${adminKubeconfig(state)}`,
    `--devices=${devices}`,
    `--switches=${switches}`,
  ]);
  const component = `${node.name}/${kind}`;
  const switchOn = (name, content = '') => writeFileSync(join(switches, name), content);
  const switchOff = name => rmSync(join(switches, name), { force: true });
  return {
    /** `hang`, `fail` (with words), `crash` or `unhealthy` (device names, one a line; all of them without). */
    switchOn,
    switchOff,
    /** Resolves once it has died of it. */
    crash: async () => {
      switchOn('crash');
      try {
        await waitFor(`${kind} to crash`, () => (isAlive(state.processes.find(({ name }) => name === component)) ? 'alive' : { done: true }));
      } finally {
        switchOff('crash');
      }
    },
    restart: () => fault(state, 'restart', component),
    stop: () => stopOnNode(state, node, kind),
  };
}

/** Folder of CDI files of a node, as this machine sees it. */
export function cdiFolder({ state }, node) {
  return pathOnNode(state, node, '/run/cdi');
}
