import { join } from 'node:path';
import { ROOT } from '../../../../tools/examples/run.mjs';
import { NODE_ARGUMENTS, SMALL_CODE } from '../../../../tools/image/node-arguments.mjs';
import { importTypeScript } from '../../timing/upstream.mjs';

const { PlayedNode, PLAYED_DRIVER } = await importTypeScript('driver/test/node/played/index.ts');
export { PLAYED_DRIVER };

const BUNDLE = join(ROOT, 'driver', 'lib', 'node.cjs');

/**
 * What is measured, each on a node of its own.
 *
 * `start({ devices, delay })` starts a driver with so many devices whose hardware takes `delay` milliseconds.
 */
export const SIDES = {
  ours: { start: agent(NODE_ARGUMENTS) },
  /** Ours with the compilers that the image does without. */
  optimizing: { start: agent(NODE_ARGUMENTS.filter(argument => !SMALL_CODE.includes(argument))) },
  upstream: {
    start: (node, { devices, delay = 0 }, program) =>
      node.start(
        program,
        [`--name=${PLAYED_DRIVER}`, '--node=node-1', `--kubelet=${join(node.root, 'k')}`, `--cdi=${node.cdi}`, `--devices=${devices}`, `--delay=${delay}ms`, `--kubeconfig=${node.kubeconfig}`],
        // The played API server has no such lists.
        { KUBE_FEATURE_WatchListClient: 'false' },
      ),
  },
};

function agent(args) {
  return (node, { devices, delay = 0 }) =>
    node.startAgent(BUNDLE, { fleet: [{ name: 'gpu-{index}', count: devices }], ...(delay === 0 ? {} : { prepareMilliseconds: delay }) }, { log: { level: 'warn' }, args });
}

/** A fresh node for one measurement; removed whatever happens. */
export async function onNode(api, side, options, program, measure) {
  await api.ask('removeSlices');
  const node = new PlayedNode(api.url);
  try {
    const start = () => SIDES[side].start(node, options, program);
    return await measure({ node, start });
  } finally {
    await node.remove();
  }
}
