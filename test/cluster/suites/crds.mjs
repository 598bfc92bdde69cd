// The CRDs of our kinds: established, printed, and each of their rules accepting and refusing as meant.
import { CHANGES, OBJECTS, VALUES } from '../lib/crd-trials.mjs';
import { loadEmitted } from '../lib/emitted.mjs';
import { installKinds } from '../lib/kinds.mjs';
import { objectPath } from '../lib/objects.mjs';
import { refusal, removeObjects, withNamespace } from '../lib/scratch.mjs';
import { expect } from '../lib/suite.mjs';

const lab = (id, text, run) => ({ id, text, where: 'lab', run: async cluster => run(cluster, await crdsOf(cluster)) });

export const contracts = [
  lab('established', 'Every CRD of ours is established, with a structural schema and the names that we use', established),
  lab('objects', 'A full object of every kind is taken and read back with every field', objects),
  lab('columns', 'kubectl prints the columns of every kind with the values of the object', columns),
  lab('values', 'Each rule about one object takes what it should and refuses the rest with its words', values),
  lab('changes', 'Each rule about a change takes what it should and refuses the rest with its words', changes),
  lab('covered', 'No rule of a CRD is left untried', covered),
  lab('status', 'Status is written apart from the spec', status),
];

const installed = new WeakMap();

function crdsOf(cluster) {
  if (!installed.has(cluster)) installed.set(cluster, install(cluster));
  return installed.get(cluster);
}

async function install(cluster) {
  const emitted = loadEmitted();
  const crds = emitted.manifestsOf(emitted.MIGRATION_CRDS, cluster.minor, {}, 'crds');
  await installKinds(cluster, crds);
  return crds;
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export async function cleanUp(cluster) {
  if (installed.has(cluster)) await removeObjects(cluster, await crdsOf(cluster));
}

async function established({ api }, crds) {
  expect(crds.length > 0, 'There is no CRD');
  for (const { metadata, spec } of crds) {
    const { status: { conditions, acceptedNames } } = await api.get(`${CRDS}/${metadata.name}`);
    const words = conditions.map(({ type, status: state }) => `${type}=${state}`);
    expect(words.includes('Established=True') && words.includes('NamesAccepted=True') && !words.includes('NonStructuralSchema=True'), `${metadata.name}: ${words.join(', ')}`);
    expect(acceptedNames.shortNames?.[0] === spec.names.shortNames[0], `${metadata.name}: ${JSON.stringify(acceptedNames)}`);
  }
  return `${crds.length} CRDs`;
}

async function objects(cluster, crds) {
  const kinds = new Set(OBJECTS.map(({ object }) => object.kind));
  for (const { spec } of crds) expect(kinds.has(spec.names.kind), `There is no object of kind ${spec.names.kind} here`);
  for (const { object } of OBJECTS) {
    await withObject(cluster, object, async stored => {
      const lost = lostIn(object.spec, stored.spec, 'spec');
      expect(lost === undefined, `${object.kind} lost ${lost}`);
    });
  }
}

/** The first field that came back otherwise. */
function lostIn(given, stored, path) {
  if (typeof given !== 'object' || given === null) return given === stored ? undefined : path;
  return Object.entries(given).map(([key, value]) => lostIn(value, stored?.[key], `${path}.${key}`)).find(lost => lost !== undefined);
}

async function columns(cluster, crds) {
  for (const { object, status: given, prints } of OBJECTS) {
    const { spec } = crds.find(crd => crd.spec.names.kind === object.kind);
    await withObject(cluster, object, async (stored, path) => {
      if (given !== undefined) await cluster.api.patch(`${path}/status`, { status: given });
      const scope = stored.metadata.namespace === undefined ? [] : ['-n', stored.metadata.namespace];
      const { stdout, stderr } = await cluster.kubectl(['get', spec.names.shortNames[0], stored.metadata.name, ...scope, '-o', 'wide']);
      const [header = '', line = ''] = stdout.split('\n');
      const wanted = spec.versions[0].additionalPrinterColumns.map(({ name }) => name.toUpperCase());
      expect(wanted.every(name => header.includes(name)), `${object.kind}: ${header || stderr}`);
      for (const text of prints) expect(line.includes(text), `${object.kind} prints no ${text}: ${line}`);
    });
  }
}

async function values(cluster) {
  for (const { text, takes, refuses, words } of VALUES) {
    await withObject(cluster, takes, () => {});
    await refused(cluster, text, refuses, words);
  }
  return `${VALUES.length} rules`;
}

async function refused(cluster, text, object, words) {
  await inNamespace(cluster, object, async placed => {
    const path = await objectPath(cluster.api, placed);
    const told = await refusal(() => cluster.api.create(path.slice(0, path.lastIndexOf('/')), placed));
    if (told === undefined) await removeObjects(cluster, [placed]);
    expect(told?.includes(words), `${text}: ${told ?? 'nothing was refused'}`);
  });
}

async function changes(cluster) {
  for (const { text, from, takes, refuses, words } of CHANGES) {
    for (const [to, isTaken] of [...takes.map(spec => [spec, true]), ...refuses.map(spec => [spec, false])]) {
      await withObject(cluster, from, async (stored, path) => {
        const told = await refusal(() => cluster.api.replace(path, { ...stored, spec: to }));
        if (isTaken) expect(told === undefined, `${text}: ${told}`);
        else expect(told?.includes(words), `${text}: ${told ?? `${JSON.stringify(to)} was taken`}`);
      });
    }
  }
  return `${CHANGES.length} rules`;
}

/** Every rule tells a reason, and some trial is refused for it. */
async function covered(_, crds) {
  const tried = [...VALUES, ...CHANGES].map(({ words }) => words);
  const rules = crds.flatMap(({ spec }) => rulesIn(spec.versions[0].schema.openAPIV3Schema).map(rule => [spec.names.kind, rule]));
  const left = rules.filter(([, { message, messageExpression }]) => !tried.some(words => (message ?? messageExpression).includes(words)));
  expect(left.length === 0, `Nothing tries ${left.map(([kind, { rule }]) => `${kind}: ${rule}`).join('; ')}`);
  return `${rules.length} rules`;
}

function rulesIn(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  return [...schema['x-kubernetes-validations'] ?? [], ...Object.entries(schema).filter(([key]) => key !== 'x-kubernetes-validations').flatMap(([, value]) => rulesIn(value))];
}

async function status(cluster) {
  const [{ object, status: given }] = OBJECTS.filter(({ object: { kind } }) => kind === 'DeviceMigration');
  await withObject(cluster, object, async (stored, path) => {
    await cluster.api.patch(`${path}/status`, { spec: { phase: 'Legacy' }, status: given });
    await cluster.api.patch(path, { status: { phase: 'Legacy' } });
    const { spec, status: seen } = await cluster.api.get(path);
    expect(spec.phase === stored.spec.phase && seen.phase === given.phase, `spec.phase ${spec.phase}, status.phase ${seen.phase}`);
  });
}

async function withObject(cluster, object, run) {
  await inNamespace(cluster, object, async placed => {
    const path = await objectPath(cluster.api, placed);
    const stored = await cluster.api.create(path.slice(0, path.lastIndexOf('/')), placed);
    try {
      return await run(stored, path);
    } finally {
      await removeObjects(cluster, [placed]);
    }
  });
}

/** Our namespaced kinds get a namespace of their own. */
async function inNamespace(cluster, object, run) {
  if (object.kind !== 'DeviceAccess') return run(object);
  return withNamespace(cluster, 'crds', namespace => run({ ...object, metadata: { ...object.metadata, namespace } }));
}
