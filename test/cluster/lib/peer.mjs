// Foreign drivers on a real node, with switches that make them misbehave.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { nodeFolder } from '../../../tools/cluster/node/node-files.mjs';
import { startOnNode } from '../../../tools/cluster/node/nodes.mjs';
import { stopProcess } from '../../../tools/cluster/processes.mjs';

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
  const process = startOnNode(state, node, kind, [
    join(state.programs, kind),
    `--name=${name}`,
    `--node=${node.name}`,
    `--kubeconfig=${adminKubeconfig(state)}`,
    `--devices=${devices}`,
    `--switches=${switches}`,
  ]);
  return {
    process,
    /** `hang`, `fail` (with words), `crash` or `unhealthy` (device names, one a line; all of them without). */
    switchOn: (name, content = '') => writeFileSync(join(switches, name), content),
    switchOff: name => rmSync(join(switches, name), { force: true }),
    stop: () => stopProcess(process),
  };
}

/** Folder of CDI files of a node, as this machine sees it. */
export function cdiFolder({ state }, node) {
  return join(nodeFolder(state, node), 'run', 'cdi');
}
