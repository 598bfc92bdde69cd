// The CRDs of our own kinds, for suites whose objects are of them.
import { loadModel } from '../../../tools/load-model.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { removeObjects } from './scratch.mjs';

const CRDS = Object.entries(await loadModel('api/index.ts'))
  .filter(([name]) => name.endsWith('_CRD'))
  .map(([, crd]) => crd);

/** Installs them; without effect where they are. */
export async function installOwnKinds({ api }) {
  for (const crd of CRDS) await api.apply(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`, crd);
  for (const { metadata, spec } of CRDS) {
    await waitFor(`CRD ${metadata.name} to be served`, async () => {
      const { status } = await api.request('GET', `/apis/${spec.group}/${spec.versions[0].name}/${spec.names.plural}?limit=1`);
      return status === 200 ? { done: true } : status;
    });
  }
}

/** Takes them away, with all objects of these kinds. */
export async function removeOwnKinds(cluster) {
  await removeObjects(cluster, CRDS);
}
