// Pods that say which devices they see, and wait until they are told to end.
import { IMAGES } from '../../../tools/cluster/node/node-programs.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';

/** Prints the devices, then waits; ends at once on SIGTERM. */
const WAIT = 'echo "$PEER_DEVICES"; trap "exit 0" TERM; while true; do sleep 0.1; done';

/**
 * The spec of a pod with one container.
 *
 * @param {{ claims?: Record<string, { template: string } | { claim: string }>, limits?: Record<string, string>, script?: string }} worker
 * `claims`: what each claim of the pod comes from
 */
export function workerSpec({ claims = {}, limits, script = WAIT } = {}) {
  const names = Object.keys(claims);
  return {
    terminationGracePeriodSeconds: 5,
    containers: [
      {
        name: 'main',
        image: IMAGES.busybox,
        imagePullPolicy: 'Never',
        command: ['sh', '-c', script],
        resources: { ...(limits === undefined ? {} : { limits }), ...(names.length === 0 ? {} : { claims: names.map(name => ({ name })) }) },
      },
    ],
    ...(names.length === 0 ? {} : { resourceClaims: names.map(name => ({ name, ...source(claims[name]) })) }),
  };
}

function source({ template, claim }) {
  return template === undefined ? { resourceClaimName: claim } : { resourceClaimTemplateName: template };
}

/** A pod that is not started again. */
export function workerPod(name, worker) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { restartPolicy: 'Never', ...workerSpec(worker) } };
}

/** A claim for devices of a class. */
export function claimSpec(deviceClassName, count = 1) {
  return { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName, allocationMode: 'ExactCount', count } }] } };
}

/** A template of such claims. */
export function claimTemplate(name, deviceClassName, count) {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaimTemplate', metadata: { name }, spec: { spec: claimSpec(deviceClassName, count) } };
}

/** Path of the pods of a namespace. */
export function podsIn(namespace) {
  return `/api/v1/namespaces/${namespace}/pods`;
}

/** Path of the claims of a namespace. */
export function claimsIn(namespace) {
  return `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
}

/** Path of the claim templates of a namespace. */
export function templatesIn(namespace) {
  return `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaimtemplates`;
}

/** Waits until a pod runs; the pod. */
export function untilRunning({ api }, namespace, name, { seconds = 60 } = {}) {
  return waitFor(
    `pod ${name} to run`,
    async () => {
      const pod = await api.get(`${podsIn(namespace)}/${name}`);
      return pod.status.phase === 'Running' ? { done: pod } : pod.status;
    },
    { seconds },
  );
}

/** What a pod's container has said, once it has said something. */
export function logOf({ api }, namespace, name) {
  return waitFor(`what the container of ${name} sees`, async () => {
    const { status, body } = await api.request('GET', `${podsIn(namespace)}/${name}/log`);
    return status === 200 && String(body).trim() !== '' ? { done: String(body).trim() } : body;
  });
}

/** Waits for an event with these words; its message. */
export function untilEvent({ api }, namespace, reason, words) {
  return waitFor(
    `an event ${reason} with the words "${words}"`,
    async () => {
      const { items } = await api.get(`/api/v1/namespaces/${namespace}/events`);
      const event = items.find(item => item.reason === reason && item.message.includes(words));
      return event === undefined ? items.map(item => `${item.reason}: ${item.message}`) : { done: event.message };
    },
    { seconds: 60 },
  );
}
