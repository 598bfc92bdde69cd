// Kinds that a CRD defines.
import { waitFor } from '../../../tools/cluster/wait.mjs';

/** Applies CRDs and waits until their kinds can be used; without effect where they are. */
export async function installKinds(cluster, crds) {
  for (const crd of crds) await cluster.api.apply(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`, crd);
  await untilServed(cluster, crds);
}

/** Waits until the server serves these kinds and publishes their schemas: it checks the types of a policy once, against what it knows then. */
export async function untilServed({ api }, crds) {
  for (const { metadata, spec } of crds) {
    const groupVersion = `apis/${spec.group}/${spec.versions[0].name}`;
    await waitFor(`CRD ${metadata.name} to be served`, async () => {
      const { status } = await api.request('GET', `/${groupVersion}/${spec.names.plural}?limit=1`);
      const { body } = await api.request('GET', `/openapi/v3/${groupVersion}`);
      const isPublished = Object.keys(body?.components?.schemas ?? {}).some(name => name.endsWith(`.${spec.names.kind}`));
      return status === 200 && isPublished ? { done: true } : status;
    });
  }
}
