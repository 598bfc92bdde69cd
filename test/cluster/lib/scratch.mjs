import { ApiError } from '../../../tools/cluster/api-client.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { objectPath } from './objects.mjs';

/** Makes a namespace for one contract, hands over its name, and removes it whatever happens. */
export async function withNamespace({ api }, prefix, run, labels = {}) {
  const name = `${prefix}-${Math.random().toString(36).slice(2, 8)}`;
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } });
  try {
    await waitFor(`the default service account of namespace ${name}`, async () => ({
      done: await api.get(`/api/v1/namespaces/${name}/serviceaccounts/default`),
    }));
    return await run(name);
  } finally {
    // No kubelet may be there to say that pods have ended; they would hold the namespace.
    await api.request('DELETE', `/api/v1/namespaces/${name}/pods`, { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0 });
    await api.request('DELETE', `/api/v1/namespaces/${name}`);
  }
}

/** Removes objects, last first, and waits until they are gone; what is not there is no failure. */
export async function removeObjects({ api }, objects) {
  const paths = [];
  for (const object of [...objects].reverse()) {
    const path = await objectPath(api, object);
    if (path === undefined) continue;
    await api.request('DELETE', path, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' });
    paths.push(path);
  }
  for (const path of paths)
    await waitFor(
      `${path} to be gone`,
      async () => {
        const { status, body } = await api.request('GET', path);
        return status === 404 ? { done: true } : body?.metadata;
      },
      { seconds: 60 },
    );
}

/** Whether a request was refused, and with which words; undefined if it went through. */
export async function refusal(request) {
  try {
    await request();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.body?.message ?? String(error.body);
    throw error;
  }
}
