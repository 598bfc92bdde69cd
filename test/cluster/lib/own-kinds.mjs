// The CRDs of our own kinds, for suites whose objects are of them.
import { loadModel } from '../../../tools/load-model.mjs';
import { installKinds } from './kinds.mjs';
import { removeObjects } from './scratch.mjs';

const CRDS = Object.entries(await loadModel('api/index.ts'))
  .filter(([name]) => name.endsWith('_CRD'))
  .map(([, crd]) => crd);

/** Installs them; without effect where they are. */
export async function installOwnKinds(cluster) {
  await installKinds(cluster, CRDS);
}

/** Takes them away, with all objects of these kinds. */
export async function removeOwnKinds(cluster) {
  await removeObjects(cluster, CRDS);
}
