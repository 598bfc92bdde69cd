// Workloads whose pods take devices: what a driver and a scheduler meet in daily work.
import { waitFor } from '../../../tools/cluster/wait.mjs';
import { podsIn } from './workers.mjs';

/** A Job whose pods each run once, so many at a time. */
export function job(name, { pods, parallelism = pods, spec }) {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { parallelism, completions: pods, completionMode: 'Indexed', template: { spec: { ...spec, restartPolicy: 'Never' } } },
  };
}

/** A Deployment; `surge` pods more, `unavailable` pods less than `replicas` while it is rolled. */
export function deployment(name, { replicas, surge = 1, unavailable = 0, spec }) {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } },
      ...podTemplate(name, spec),
    },
  };
}

/** A StatefulSet; its pods start one after the other. */
export function statefulSet(name, { replicas, spec }) {
  return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name }, spec: { replicas, serviceName: name, ...podTemplate(name, spec) } };
}

function podTemplate(name, spec) {
  return { selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec } };
}

/** Path of a workload. */
export function workloadPath(namespace, { apiVersion, kind, metadata }) {
  return `/apis/${apiVersion}/namespaces/${namespace}/${kind.toLowerCase()}s/${metadata.name}`;
}

/** Creates a workload. */
export function createWorkload({ api }, namespace, workload) {
  return api.create(workloadPath(namespace, workload).replace(/\/[^/]+$/, ''), workload);
}

/** Changes the pod template, as `kubectl rollout restart` does, so that every pod is replaced. */
export function restartWorkload({ api }, namespace, workload, revision) {
  return api.patch(workloadPath(namespace, workload), { spec: { template: { metadata: { annotations: { revision } } } } });
}

/** Waits until all pods of a Deployment or StatefulSet are of its newest template, ready, and the old ones gone; these pods. */
export function untilRolledOut({ api }, namespace, workload, { seconds = 90 } = {}) {
  return waitFor(
    `${workload.kind} ${workload.metadata.name} to be rolled out`,
    async () => {
      const { metadata, spec, status } = await api.get(workloadPath(namespace, workload));
      const { items } = await api.get(`${podsIn(namespace)}?labelSelector=app%3D${workload.metadata.name}`);
      const counts = [status.updatedReplicas ?? 0, status.readyReplicas ?? 0, status.replicas ?? 0, items.length];
      const isDone = status.observedGeneration >= metadata.generation && counts.every(count => count === spec.replicas);
      return isDone ? { done: items } : { status, pods: items.map(pod => `${pod.metadata.name} ${pod.status.phase}`) };
    },
    { seconds, every: 200 },
  );
}
