// What the tests without a cluster keep of a collected file: the objects of one case, without what every pod and node has.

/** Fields with which no cause has to do. */
const DROPPED = {
  Event: ['eventTime', 'firstTimestamp', 'reportingComponent', 'reportingInstance', 'source', 'involvedObject.apiVersion', 'involvedObject.resourceVersion'],
  Namespace: ['spec'],
  Node: ['metadata.annotations', 'status.daemonEndpoints', 'status.nodeInfo'],
  Pod: [
    'spec.dnsPolicy', 'spec.enableServiceLinks', 'spec.restartPolicy', 'spec.securityContext', 'spec.serviceAccount', 'spec.serviceAccountName', 'spec.terminationGracePeriodSeconds', 'spec.volumes',
    'spec.containers.imagePullPolicy', 'spec.containers.terminationMessagePath', 'spec.containers.terminationMessagePolicy', 'spec.containers.volumeMounts',
  ],
};
const DROPPED_EVERYWHERE = ['metadata.resourceVersion'];

/**
 * @param {string} text of the collected file
 * @param {import('./case-file.mjs').PendingCase} pendingCase
 */
export function keptObjects(text, { name, setup }) {
  const namespaces = new Set([name, ...setup.filter(({ kind }) => kind === 'Namespace').map(step => step.name ?? step.metadata.name)]);
  const { metadata, items } = JSON.parse(text);
  const own = items.filter(item => {
    const namespace = item.kind === 'Namespace' ? item.metadata.name : item.metadata.namespace;
    return namespace === undefined || namespaces.has(namespace);
  });
  const kept = withoutRepetition(own).map(item => {
    for (const path of [...DROPPED_EVERYWHERE, ...DROPPED[item.kind] ?? []]) drop(item, path.split('.'));
    return item;
  });
  return `{"apiVersion":"v1","kind":"List","metadata":${JSON.stringify(metadata)},"items":[\n${kept.map(item => JSON.stringify(item)).join(',\n')}\n]}\n`;
}

/** A controller that tries again says the same each time, with another name for what it tried to make. */
function withoutRepetition(items) {
  const last = new Map();
  const keyOf = ({ involvedObject: { uid, name }, reason, type }) => JSON.stringify([uid, name, reason, type]);
  for (const item of items.filter(({ kind }) => kind === 'Event')) last.set(keyOf(item), item);
  return items.filter(item => item.kind !== 'Event' || last.get(keyOf(item)) === item);
}

function drop(value, [field, ...rest]) {
  if (Array.isArray(value)) {
    for (const entry of value) drop(entry, [field, ...rest]);
  } else if (rest.length === 0) {
    if (value !== undefined) delete value[field];
  } else if (value?.[field] !== undefined) {
    drop(value[field], rest);
  }
}
