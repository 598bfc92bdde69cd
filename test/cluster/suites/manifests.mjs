// Every manifest that we ship, on a real server: accepted as it is, applied as users do, read back without loss.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { differences } from '../lib/difference.mjs';
import { collectionPath, objectPath, readManifests, resourceOf, title } from '../lib/objects.mjs';
import { installOwnKinds, removeOwnKinds } from '../lib/own-kinds.mjs';
import { removeObjects } from '../lib/scratch.mjs';
import { expect, NotApplicable } from '../lib/suite.mjs';

const EXAMPLES = join(ROOT, 'examples');

/** Folders of manifests: what the examples emit (ml-platform is the demo's), and those written by hand. */
const FOLDERS = readdirSync(EXAMPLES)
  .flatMap(name => ['golden', 'manifests'].map(folder => ({ name, path: join(EXAMPLES, name, folder) })))
  .filter(({ path }) => existsSync(path))
  .sort((left, right) => left.name.localeCompare(right.name));

export const contracts = FOLDERS.flatMap(({ name, path }) => [
  {
    id: `${name}-accepted`,
    text: `The server accepts each manifest of examples/${name}, unknown fields refused`,
    where: 'lab',
    run: cluster => acceptedAll(cluster, path),
  },
  {
    id: `${name}-applied`,
    text: `kubectl applies examples/${name}, and what is read back has lost no more than check says`,
    where: 'lab',
    run: cluster => appliedAll(cluster, path),
  },
  ...(readManifests(path).some(isOurs)
    ? [
        {
          id: `${name}-second-manager`,
          text: `A second tool can apply what the library emitted for examples/${name}: no default is missing in a part that has one owner`,
          where: 'lab',
          run: cluster => appliedTwice(cluster, path),
        },
      ]
    : []),
  // The order of files is the library's promise where it wrote them itself.
  ...(existsSync(join(path, '.cdk8s-dra-files'))
    ? [{ id: `${name}-ordered`, text: `The files of examples/${name} can be applied in one go`, where: 'live', run: () => ordered(path) }]
    : []),
]);

async function acceptedAll(cluster, folder) {
  const { manifests, unserved } = await served(cluster, folder);
  await makeNamespaces(cluster, manifests);
  const refused = [];
  for (const { file, object } of manifests) {
    const { status, body, warnings } = await dryRun(cluster, object);
    const where = `${relative(ROOT, file)}: ${title(object)}`;
    if (status >= 300) refused.push(`${where}: ${body.message}`);
    else refused.push(...warnings.map(warning => `${where}: warning: ${warning}`));
  }
  expect(refused.length === 0, refused.join('\n'));
  return `${manifests.length} objects${unserved}`;
}

async function dryRun({ api }, object) {
  const query = 'dryRun=All&fieldValidation=Strict';
  const answer = await api.request('POST', `${await collectionPath(api, object)}?${query}`, object);
  if (answer.status !== 409) return answer;
  // What is there already, such as a namespace, must be accepted as an update instead.
  const path = `${await objectPath(api, object)}?${query}&fieldManager=suite&force=true`;
  return api.request('PATCH', path, object, 'application/apply-patch+yaml');
}

async function appliedAll(cluster, folder) {
  const { manifests, unserved } = await served(cluster, folder);
  const objects = manifests.map(({ object }) => object);
  await makeNamespaces(cluster, manifests);
  try {
    const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
    const { code, stderr } = await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input: list });
    expect(code === 0, stderr.trim());
    const lost = await compareStored(cluster, objects, predictedLosses(folder, cluster.minor));
    return `${objects.length} objects${lost === 0 ? '' : `, ${lost} fields dropped, as check says`}${unserved}`;
  } finally {
    await removeObjects(
      cluster,
      objects.filter(({ kind }) => kind !== 'Namespace'),
    );
  }
}

/** Throws unless the server keeps every field but the predicted ones; answers how many it dropped. */
async function compareStored({ api }, objects, predicted) {
  const wrong = [];
  let lost = 0;
  for (const object of objects) {
    const stored = await api.get(await objectPath(api, object));
    for (const { path, kind, written, stored: value } of differences(object, stored)) {
      const became = kind === 'changed' ? ` became ${JSON.stringify(value)}` : '';
      if (kind === 'dropped' && predicted.delete(`${title(object)} ${path}`)) lost++;
      else wrong.push(`${title(object)}: ${path} was ${kind}: ${JSON.stringify(written)}${became}`);
    }
  }
  for (const key of predicted) wrong.push(`${key}: check says that the server drops it, and it is there`);
  expect(wrong.length === 0, wrong.join('\n'));
  return lost;
}

/** Applies as one manager, then tries as another, without force. */
async function appliedTwice(cluster, folder) {
  if (predictedLosses(folder, cluster.minor).size > 0) throw new NotApplicable('the server drops fields of it, which makes a conflict in any case');
  const { manifests } = await served(cluster, folder);
  await makeNamespaces(cluster, manifests);
  const objects = manifests.filter(isOurs).map(({ object }) => object);
  try {
    const wrong = [];
    for (const object of objects) {
      const path = await objectPath(cluster.api, object);
      await cluster.api.apply(path, object, { manager: 'one' });
      const { status, body } = await cluster.api.request('PATCH', `${path}?fieldManager=another&dryRun=All`, object, 'application/apply-patch+yaml');
      if (status >= 300) wrong.push(`${title(object)}: ${body.message}`);
    }
    expect(wrong.length === 0, wrong.join('\n'));
    return `${objects.length} objects`;
  } finally {
    await removeObjects(
      cluster,
      objects.filter(({ kind }) => kind !== 'Namespace'),
    );
  }
}

function isOurs({ object }) {
  return object.metadata.labels?.['app.kubernetes.io/managed-by'] === 'cdk8s-dra';
}

/** Whether `kubectl apply -R -f` on an empty cluster meets each namespace before what lies in it. */
function ordered(folder) {
  const manifests = readManifests(folder);
  const namespaces = manifests.map(({ object }) => (object.kind === 'Namespace' ? object.metadata.name : ''));
  const early = manifests.filter(({ object }, index) => namespaces.indexOf(object.metadata.namespace) > index);
  expect(early.length === 0, early.map(({ file, object }) => `${relative(ROOT, file)}: ${title(object)} comes before its namespace`).join('\n'));
}

async function served(cluster, folder) {
  // Whoever applies a pool has installed them first.
  await installOwnKinds(cluster);
  const manifests = [];
  const kinds = new Set();
  for (const manifest of readManifests(folder)) {
    if ((await resourceOf(cluster.api, manifest.object.apiVersion, manifest.object.kind)) === undefined) kinds.add(manifest.object.kind);
    else manifests.push(manifest);
  }
  if (manifests.length === 0) throw new NotApplicable(`the server serves none of its kinds: ${[...kinds].join(', ')}`);
  return { manifests, unserved: kinds.size === 0 ? '' : `; not served here: ${[...kinds].sort().join(', ')}` };
}

/** Fields that `kubectl-dra check` says this minor drops, as `Kind namespace/name path`. */
function predictedLosses(folder, minor) {
  const program = join(ROOT, 'driver', 'bin', 'kubectl-dra.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'check', folder, '--kubernetes', minor, '-o', 'json'], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(status === 0 || status === 1, `kubectl-dra check failed, is it compiled (npm run compile)? ${stderr}`);
  const dropped = JSON.parse(stdout).findings.filter(({ code }) => code === 'DRA110');
  return new Set(dropped.map(({ object, path }) => `${title({ kind: object.kind, metadata: object })} ${path}`));
}

/** Namespaces that the folder defines, as it defines them, and those that it expects. They stay for the next contract. */
async function makeNamespaces(cluster, manifests) {
  const own = manifests.filter(({ object }) => object.kind === 'Namespace').map(({ object }) => object);
  const used = new Set(manifests.map(({ object }) => object.metadata.namespace).filter(name => name !== undefined));
  const missing = [...used].filter(name => !own.some(({ metadata }) => metadata.name === name));
  for (const namespace of [...own, ...missing.map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))]) {
    const { status, body } = await cluster.api.request('POST', '/api/v1/namespaces', namespace);
    expect(status < 300 || status === 409, body?.message);
    namespaces.set(namespace.metadata.name, namespace);
  }
}

const namespaces = new Map();

/** Removes what the contracts left for each other. */
export async function cleanUp(cluster) {
  await removeObjects(cluster, [...namespaces.values()]);
  namespaces.clear();
  await removeOwnKinds(cluster);
}
