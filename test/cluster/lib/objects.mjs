// Where objects live in the API, and manifests as files hold them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const discovered = new WeakMap();

/** What a server says of a kind: its resource's plural and whether it is namespaced; undefined if it does not serve it. */
export async function resourceOf(api, apiVersion, kind) {
  if (!discovered.has(api)) discovered.set(api, new Map());
  const versions = discovered.get(api);
  if (!versions.has(apiVersion)) {
    const { status, body } = await api.request('GET', groupPath(apiVersion));
    // A CRD may be made later.
    if (status !== 200) return undefined;
    versions.set(apiVersion, body.resources);
  }
  return versions.get(apiVersion).find(resource => resource.kind === kind && !resource.name.includes('/'));
}

/** Path of an object's collection; undefined if the server does not serve its kind. */
export async function collectionPath(api, object) {
  const resource = await resourceOf(api, object.apiVersion, object.kind);
  if (resource === undefined) return undefined;
  const namespace = resource.namespaced ? `/namespaces/${object.metadata.namespace ?? 'default'}` : '';
  return `${groupPath(object.apiVersion)}${namespace}/${resource.name}`;
}

/** Path of an object; undefined if the server does not serve its kind. */
export async function objectPath(api, object) {
  const collection = await collectionPath(api, object);
  return collection === undefined ? undefined : `${collection}/${object.metadata.name}`;
}

/** All objects in the YAML files of a folder or a file, in the order in which `kubectl apply -R -f` takes them. */
export function readManifests(path) {
  const files = statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true })
        .map(file => join(path, file))
        .filter(file => /\.ya?ml$/.test(file))
        .sort();
  return files.flatMap(file =>
    parseAllDocuments(readFileSync(file, 'utf8'), { version: '1.1' })
      .map(document => ({ file, object: document.toJS() }))
      .filter(({ object }) => object !== null && object !== undefined),
  );
}

/** `Kind namespace/name`, for messages. */
export function title({ kind, metadata }) {
  return `${kind} ${metadata?.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata?.name}`;
}

function groupPath(apiVersion) {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}
