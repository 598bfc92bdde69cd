// Brings the objects of a case about on a cluster, and takes them away again.
import { fault } from '../../../tools/cluster/faults.mjs';
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { makeNode } from '../lib/hand-made-node.mjs';
import { objectPath } from '../lib/objects.mjs';
import { NotTried } from '../lib/suite.mjs';
import { podOf } from './case-file.mjs';

const RESOURCE = 'resource.k8s.io/v1';
const ADMISSION = 'admissionregistration.k8s.io/v1';
const API_VERSIONS = {
  DeviceClass: RESOURCE,
  DeviceTaintRule: RESOURCE,
  Namespace: 'v1',
  Node: 'v1',
  Pod: 'v1',
  PriorityClass: 'scheduling.k8s.io/v1',
  ResourceClaim: RESOURCE,
  ResourceClaimTemplate: RESOURCE,
  ResourceQuota: 'v1',
  ResourceSlice: RESOURCE,
  ValidatingAdmissionPolicy: ADMISSION,
  ValidatingAdmissionPolicyBinding: ADMISSION,
};
const CLUSTER_SCOPED = new Set(['DeviceClass', 'DeviceTaintRule', 'Namespace', 'Node', 'PriorityClass', 'ResourceSlice', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
const IMAGE = 'registry.example.com/worker:1';
const AT_ONCE = { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, propagationPolicy: 'Background' };

/** One case on a cluster. */
export class Stage {
  #cluster;
  #case;
  #made = new Map();
  #frozen = new Set();
  #hasOtherGates = false;

  constructor(cluster, pendingCase) {
    this.#cluster = cluster;
    this.#case = pendingCase;
  }

  get pod() {
    return podOf(this.#case);
  }

  /** All that the case sets up. */
  async set() {
    await this.#ensureNamespace({ metadata: { name: this.#case.name } });
    for (const step of this.#case.setup) await this.do(step);
  }

  /** Takes away what was made; namespaces stay until `close`. */
  async clear() {
    await this.thaw();
    if (this.#hasOtherGates) await this.#restart('');
    const objects = [...this.#made.values()].reverse();
    const namespaces = new Set([this.#case.name, ...objects.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)]);
    for (const object of objects.filter(({ kind }) => kind === 'Pod')) await this.#release(object);
    for (const namespace of namespaces) await this.#removeClaims(namespace);
    for (const object of objects) if (object.kind !== 'Namespace') await this.#remove(object);
    for (const object of objects) if (object.kind !== 'Namespace') await this.#gone(object);
    this.#made.clear();
    for (const namespace of namespaces) this.#made.set(`Namespace/${namespace}`, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  }

  /** Ends the case. */
  async close() {
    await this.clear();
    for (const object of this.#made.values()) await this.#cluster.api.request('DELETE', await objectPath(this.#cluster.api, object), AT_ONCE);
  }

  /** One step; see case-file.mjs. */
  async do(step) {
    if (step.kind !== undefined) return this.create(step);
    if (step.delete !== undefined) return this.delete(step.delete, step.stays);
    if (step.patch !== undefined) return this.patch(step.patch, step.merge);
    if (step.again !== undefined) return this.again(step.again, step.merge);
    if (step.gone !== undefined) return this.#gone(this.#full(step.gone));
    if (step.seen !== undefined) return this.#seen(step);
    if (step.refused !== undefined) return this.#refused(step.refused);
    if (step.freeze !== undefined) {
      this.#frozen.add(step.freeze);
      return fault(this.#cluster.state, 'freeze', step.freeze);
    }
    if (step.gates !== undefined) return this.#restart(step.gates);
    if (step.thaw !== undefined) {
      this.#frozen.delete(step.thaw);
      return fault(this.#cluster.state, 'thaw', step.thaw);
    }
    throw new Error(`A step must be an object or a deed, got ${JSON.stringify(step)}.`);
  }

  /** Creates an object, writes its status, and waits until pods other than the one in question are bound. */
  async create(given) {
    const object = await this.#served(this.#full(given));
    if (object.kind === 'Namespace') return this.#ensureNamespace(object);
    this.#made.set(keyOf(object), { ...object, given });
    if (object.kind === 'Node') return this.#createNode(object);
    const { api } = this.#cluster;
    const path = await objectPath(api, object);
    const { status, ...written } = object;
    // Admission of a new namespace or policy lags a little behind.
    await waitFor(`${object.kind} ${object.metadata.name} to be accepted`, async () => ({ done: await this.#post(path, object.kind === 'ResourceQuota' ? object : written) }), { seconds: 10 });
    if (status !== undefined) await api.patch(`${path}/status`, { status });
    if (object.kind === 'ResourceQuota') await this.#quotaCounted(path, object);
    if (object.kind === 'Pod' && !this.#isSubject(object) && object.spec.schedulerName === undefined) await this.#started(path, object);
  }

  async delete(reference, stays = reference.kind === 'ResourceClaim') {
    const object = this.#full(reference);
    if (object.kind === 'Pod' && !stays) await this.#release(object);
    else await this.#remove(object);
    if (!stays) await this.#gone(object);
  }

  async patch({ subresource, ...reference }, merge) {
    const path = await objectPath(this.#cluster.api, await this.#served(this.#full(reference)));
    await this.#cluster.api.patch(subresource === undefined ? path : `${path}/${subresource}`, merge);
  }

  /** An object deleted and created as it was set up, with changes. */
  async again(reference, merge = {}) {
    const object = this.#full(reference);
    const { given } = this.#made.get(keyOf(object)) ?? { given: object };
    await this.#remove(object);
    await this.#gone(object);
    await this.create(merged(given, merge));
  }

  /** Lets all components go on. */
  async thaw() {
    for (const component of [...this.#frozen]) await this.do({ thaw: component });
  }

  /** An object as it was set up; undefined for one that was not. */
  given(reference) {
    return this.#made.get(keyOf(this.#full(reference)))?.given;
  }

  /** An object as it is. */
  async read(reference) {
    return this.#cluster.api.get(await objectPath(this.#cluster.api, await this.#served(this.#full(reference))));
  }

  /** Wakes the scheduler. */
  async touchClasses() {
    for (const { kind, metadata } of this.#made.values()) {
      if (kind === 'DeviceClass') await this.patch({ kind, name: metadata.name }, { metadata: { annotations: { touched: 'yes' } } });
    }
  }

  /** The slices of a pool, as they are. */
  async slicesOf(driver, pool) {
    const { items } = await this.#cluster.api.get(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.driver=${driver}`);
    return items.filter(({ spec }) => spec.pool.name === pool);
  }

  /** Drops the taints of devices of a node, as their driver does once they are repaired. */
  async untaint(node, names) {
    const { items } = await this.#cluster.api.get(`/apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName=${node}`);
    for (const { metadata, spec } of items) {
      const devices = (spec.devices ?? []).map(({ taints, ...device }) => (names.includes(device.name) ? device : { ...device, taints }));
      await this.patch({ kind: 'ResourceSlice', name: metadata.name }, { spec: { devices } });
    }
  }

  /** Ends pods of a node, all by default. */
  async endPodsOf(node, most = Infinity) {
    const { items } = await this.#cluster.api.get(`/api/v1/pods?fieldSelector=spec.nodeName=${node}`);
    for (const { metadata } of items.slice(0, most)) await this.delete({ kind: 'Pod', namespace: metadata.namespace, name: metadata.name });
  }

  #isSubject({ metadata }) {
    return metadata.name === this.pod.name && metadata.namespace === this.pod.namespace;
  }

  #full(object) {
    const { kind, metadata = { name: object.name, ...(object.namespace === undefined ? {} : { namespace: object.namespace }) }, ...fields } = object;
    const { name: _, namespace: __, ...rest } = fields;
    const full = { apiVersion: API_VERSIONS[kind], ...rest, kind, metadata: CLUSTER_SCOPED.has(kind) ? metadata : { namespace: this.#case.name, ...metadata } };
    if (kind === 'Pod' && full.spec !== undefined) full.spec = { ...full.spec, containers: full.spec.containers.map(container => ({ image: IMAGE, ...container })) };
    return full;
  }

  /** With the API version that this minor has. */
  async #served(object) {
    if (object.kind !== 'DeviceTaintRule') return object;
    const { body } = await this.#cluster.api.request('GET', '/apis/resource.k8s.io');
    for (const { version } of body.versions) {
      const { resources } = await this.#cluster.api.get(`/apis/resource.k8s.io/${version}`);
      if (resources.some(({ kind }) => kind === object.kind)) return { ...object, apiVersion: `resource.k8s.io/${version}` };
    }
    throw new NotTried('this server has no DeviceTaintRules');
  }

  async #ensureNamespace({ metadata }) {
    const { api } = this.#cluster;
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata };
    await api.apply(`/api/v1/namespaces/${metadata.name}`, object);
    this.#made.set(keyOf(object), object);
    await waitFor(`the default service account of namespace ${metadata.name}`, async () => ({
      done: await api.get(`/api/v1/namespaces/${metadata.name}/serviceaccounts/default`),
    }));
  }

  async #createNode({ metadata, spec, status }) {
    const { api } = this.#cluster;
    await makeNode(this.#cluster, metadata.name);
    await api.patch(`/api/v1/nodes/${metadata.name}`, { metadata: { labels: metadata.labels }, ...(spec === undefined ? {} : { spec }) });
    if (status !== undefined) await api.patch(`/api/v1/nodes/${metadata.name}/status`, { status: { capacity: status.allocatable, ...status } });
  }

  async #post(path, object) {
    try {
      return await this.#cluster.api.create(path.slice(0, path.lastIndexOf('/')), object);
    } catch (error) {
      if (error.status === 422 || error.status === 400) error.fatal = true;
      throw error;
    }
  }

  async #quotaCounted(path, { spec }) {
    await waitFor('the quota to be counted', async () => {
      const { status } = await this.#cluster.api.get(path);
      return Object.keys(spec.hard).every(key => status.used?.[key] !== undefined) ? { done: true } : status;
    });
    // Admission sees it a moment later, and nothing tells when.
    await sleep(500);
  }

  /** No kubelet is there to say that a pod runs. */
  async #started(path, { metadata, spec }) {
    if (spec.nodeName === undefined) {
      await waitFor(`pod ${metadata.name} to be bound`, async () => {
        const pod = await this.#cluster.api.get(path);
        return pod.spec.nodeName === undefined ? pod.status : { done: true };
      });
    }
    await this.#cluster.api.patch(`${path}/status`, { status: { phase: 'Running' } });
  }

  async #seen({ seen, says }) {
    await waitFor(`${seen.kind} ${seen.name} to show "${says}"`, async () => {
      const object = await this.read(seen);
      return JSON.stringify(object).includes(says) ? { done: true } : object.status;
    });
  }

  /** A new policy takes a moment to be in force. */
  async #refused(given) {
    const object = this.#full(given);
    const path = await objectPath(this.#cluster.api, object);
    await waitFor(`${object.kind} ${object.metadata.name} to be refused`, async () => {
      const { status, body } = await this.#cluster.api.request('POST', `${path.slice(0, path.lastIndexOf('/'))}?dryRun=All`, object);
      return status >= 400 ? { done: true } : body;
    });
  }

  /** Starts the control plane again with other gates; '' for those that it had. */
  async #restart(gates) {
    const { state, api } = this.#cluster;
    this.#hasOtherGates = gates !== '';
    const all = [state.featureGates ?? '', gates].filter(text => text !== '').join(',');
    for (const name of ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']) {
      const component = state.processes.find(process => process.name === name);
      component.command = [...component.command.filter(argument => !argument.startsWith('--feature-gates=')), ...(all === '' ? [] : [`--feature-gates=${all}`])];
      await fault(state, 'restart', name);
      if (name === 'kube-apiserver') await waitFor('the API server to be ready', async () => ((await api.request('GET', '/readyz')).status === 200 ? { done: true } : 'not ready'));
    }
  }

  /** Ends a pod, whatever holds it. */
  async #release(pod) {
    const path = await objectPath(this.#cluster.api, pod);
    await this.#cluster.api.request('PATCH', path, { metadata: { finalizers: null } }, 'application/merge-patch+json');
    await this.#remove(pod);
  }

  async #remove(object) {
    const path = await objectPath(this.#cluster.api, await this.#served(object));
    if (path !== undefined) await this.#cluster.api.request('DELETE', path, AT_ONCE);
  }

  async #gone(object) {
    const { api } = this.#cluster;
    const path = await objectPath(api, await this.#served(object));
    await waitFor(`${object.kind} ${object.metadata.name} to be gone`, async () => {
      const { status, body } = await api.request('GET', path);
      return status === 404 ? { done: true } : body?.metadata;
    });
  }

  async #removeClaims(namespace) {
    const { api } = this.#cluster;
    const path = `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`;
    const { items = [] } = await api.get(path);
    for (const { metadata } of items) await api.request('DELETE', `${path}/${metadata.name}`, AT_ONCE);
    await waitFor(`the claims of namespace ${namespace} to be gone`, async () => {
      const left = (await api.get(path)).items;
      // What cases reserve for consumers that do not exist is released by nobody.
      for (const { metadata, status } of left) {
        if ((status?.reservedFor ?? []).some(({ resource }) => resource !== 'pods')) {
          await api.patch(`${path}/${metadata.name}/status`, { status: { reservedFor: null } });
        }
        if ((metadata.finalizers ?? []).some(name => !name.startsWith('resource.kubernetes.io/'))) {
          await api.patch(`${path}/${metadata.name}`, { metadata: { finalizers: null } });
        }
      }
      return left.length === 0 ? { done: true } : left.map(({ metadata, status }) => ({ name: metadata.name, status }));
    });
  }
}

/** A merge patch applied to an object as written. */
export function merged(target, patch) {
  if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
  const result = typeof target === 'object' && target !== null && !Array.isArray(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

function keyOf({ kind, metadata: { namespace = '', name } }) {
  return `${kind}/${namespace}${namespace === '' ? '' : '/'}${name}`;
}
