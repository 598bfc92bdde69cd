// What our constructs emit for this minor and these gates, on the server: taken, and kept field for field.
import { loadModel } from '../../../tools/load-model.mjs';
import { differences } from '../lib/difference.mjs';
import { loadEmitted } from '../lib/emitted.mjs';
import { collectionPath, objectPath, resourceOf, title } from '../lib/objects.mjs';
import { removeObjects } from '../lib/scratch.mjs';
import { expect, NotApplicable } from '../lib/suite.mjs';

const { KINDS } = await loadModel('index.ts');
/** Groups that Kubernetes itself has; what a kind of another group may hold is not its server's matter. */
const GROUPS = new Set(Object.keys(KINDS).map(groupOf));

const { SPECIMENS, INSTALLATIONS, manifestsOf } = loadEmitted();

/** Namespaces that the specimens expect; admin access needs the label. */
const NAMESPACES = ['team', 'drivers', 'vision', 'dra-drivers'].map(name => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name, labels: { 'resource.kubernetes.io/admin-access': 'true' } },
}));

export const contracts = [
  ...SPECIMENS.map(specimen => ({
    id: specimen.name,
    text: `The server takes what the zoo's ${specimen.name} emits, and keeps every field`,
    where: 'lab',
    run: cluster => taken(cluster, specimen),
  })),
  ...INSTALLATIONS.map(installation => ({
    id: `driver-${installation.name}`,
    text: `The server takes the installation of driver profile ${installation.name}, and keeps every field`,
    where: 'lab',
    run: cluster => taken(cluster, installation),
  })),
];

export async function cleanUp(cluster) {
  await removeObjects(cluster, NAMESPACES);
}

async function taken(cluster, emitted) {
  const objects = manifestsOf(emitted, cluster.minor, gatesOf(cluster), 'team');
  if (typeof objects === 'string') throw new NotApplicable(`refused for this target: ${objects.split('\n').slice(0, 2).join(' ')}`);
  for (const namespace of NAMESPACES) await cluster.api.request('POST', '/api/v1/namespaces', namespace);
  const wrong = [];
  const foreign = objects.filter(({ apiVersion, kind }) => !GROUPS.has(groupOf(`${apiVersion}/${kind}`)));
  for (const object of objects.filter(one => !foreign.includes(one))) {
    if ((await resourceOf(cluster.api, object.apiVersion, object.kind)) === undefined) {
      wrong.push(`${title(object)}: ${object.apiVersion} is not served by default`);
      continue;
    }
    const path = object.kind === 'Namespace' ? await objectPath(cluster.api, object) : await collectionPath(cluster.api, object);
    const query = 'dryRun=All&fieldValidation=Strict';
    const { status, body, warnings } =
      object.kind === 'Namespace'
        ? await cluster.api.request('PATCH', `${path}?${query}&fieldManager=suite&force=true`, object, 'application/apply-patch+yaml')
        : await cluster.api.request('POST', `${path}?${query}`, object);
    if (status >= 300) wrong.push(`${title(object)}: ${body.message}`);
    else {
      wrong.push(
        ...differences(object, body).map(
          ({ path: field, kind, written, stored }) =>
            `${title(object)}: ${field} was ${kind}: ${JSON.stringify(written)} → ${JSON.stringify(stored)}`,
        ),
      );
      wrong.push(...warnings.map(warning => `${title(object)}: warning: ${warning}`));
    }
  }
  expect(wrong.length === 0, wrong.join('\n'));
  const left = foreign.length === 0 ? '' : `; not tried, as their group is not Kubernetes' own: ${foreign.map(({ kind }) => kind).join(', ')}`;
  return `${objects.filter(one => !foreign.includes(one)).map(({ kind }) => kind).join(', ')}${left}`;
}

/** Of `apiVersion/kind`; '' for the core group. */
function groupOf(key) {
  return key.split('/').slice(0, -2).join('/');
}

function gatesOf({ state }) {
  const pairs = (state?.featureGates ?? '').split(',').filter(pair => pair !== '');
  return Object.fromEntries(pairs.map(pair => pair.split('=')).map(([gate, value]) => [gate, value === 'true']));
}
