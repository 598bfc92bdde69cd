// The examples of our catalogue of mistakes: the mended one must be taken, and the wrong one refused where the text says so.
import { parseAllDocuments } from 'yaml';
import { loadModel } from '../../../tools/load-model.mjs';
import { collectionPath, title } from '../lib/objects.mjs';
import { installOwnKinds, removeOwnKinds } from '../lib/own-kinds.mjs';
import { removeObjects } from '../lib/scratch.mjs';
import { expect, minorNumber, NotApplicable, NotTried } from '../lib/suite.mjs';

const { FAILURES } = await loadModel('failures/index.ts');
const { Target } = await loadModel('target/index.ts');

/** Mistakes that the server refuses, each with a part of its words. */
const REFUSED = {
  DRA106: 'name or generateName is required',
  DRA107: 'a lowercase RFC 1123 subdomain must consist of',
  DRA109: 'Duplicate value: "gpu"',
  DRA112: 'unknown field "spec.resourceClaims[0].resourceClaimTemplate"',
  DRA113: 'cannot unmarshal number',
  DRA114: 'deviceClassName: Required value',
  DRA115: 'Unsupported value: "all"',
  DRA116: 'no matches for kind "DeviceClass" in version "resource.k8s.io/v1beta2"',
  DRA117: 'unknown field "spec.spec.devices.requests[0].deviceClassName"',
  DRA118: 'unknown field "spec.resourceClaims[0].source"',
  DRA119: 'cannot unmarshal bool',
  DRA120: 'Too many: 9: must have at most 8 items',
  DRA121: 'a valid C identifier must start with',
  DRA122: "must not be specified when allocationMode is 'All'",
  DRA124: 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
  DRA125: 'quantities must match the regular expression',
  DRA126: 'must be a valid JSON object',
  DRA127: 'must be empty for operator `Exists`',
  DRA128: 'required when validRange is defined',
  DRA129: 'exactly one of `nodeName`, `nodeSelector`, `allNodes`',
  DRA132: 'must be one of the names in pod.spec.resourceClaims',
  DRA134: 'must be the name of a request in the claim',
  DRA140: "mismatched input 'and'",
  DRA141: "found no matching overload for '_>=_' applied to '(kubernetes.Quantity, int)'",
  DRA144: "undeclared reference to 'name'",
  DRA145: "undeclared reference to 'includes'",
  DRA153: 'spec.extendedResourceName: Invalid value: "gpu"',
  DRA155: 'Limit must be set for non overcommitable resources',
  DRA156: 'resource.kubernetes.io/admin-access: true',
  DRA165: 'may not be set when maxUnavailable',
  DRA180: 'must be referenced by at least one matchAttribute or distinctAttribute constraint',
};

/** Mistakes that the server refuses up to a minor. */
const REFUSED_UNTIL = { DRA111: ['1.36', 'unknown field "spec.devices[0].nodeAllocatableResources"'] };

/** Mistakes in the text of a file: no server ever sees them. */
const BEFORE_THE_SERVER = new Set(['DRA101', 'DRA102', 'DRA103', 'DRA104', 'DRA105']);

export const contracts = FAILURES.filter(({ wrong, code }) => wrong !== undefined && !BEFORE_THE_SERVER.has(code)).flatMap(failure => [
  {
    id: `${failure.code}-right`,
    text: `The server takes the mended example of ${failure.code} ${failure.name}`,
    where: 'lab',
    run: cluster => tryRight(cluster, failure),
  },
  {
    id: `${failure.code}-wrong`,
    text: `The server answers as we say to the wrong example of ${failure.code} ${failure.name}`,
    where: 'lab',
    run: cluster => tryWrong(cluster, failure),
  },
]);

async function tryRight(cluster, failure) {
  requireTarget(cluster, failure);
  const refused = (await writeAll(cluster, failure.right)).filter(({ words }) => words !== undefined);
  expect(refused.length === 0, refused.map(({ what, words }) => `${what}: ${words}`).join('\n'));
}

async function tryWrong(cluster, failure) {
  requireTarget(cluster, failure);
  const refused = (await writeAll(cluster, failure.wrong)).filter(({ words }) => words !== undefined);
  const words = refused.map(({ what, words: text }) => `${what}: ${text}`).join('\n');
  const [until, early] = REFUSED_UNTIL[failure.code] ?? [];
  const promised = until !== undefined && minorNumber(cluster.minor) <= minorNumber(until) ? early : REFUSED[failure.code];
  if (promised === undefined) expect(refused.length === 0, words);
  else expect(words.includes(promised), words === '' ? 'It went through.' : words);
  return words;
}

function requireTarget(cluster, { code, kubernetes = '1.34', featureGates }) {
  if (code === 'DRA111' && cluster.state.emulate !== undefined)
    throw new NotTried('a program that plays an older minor still has the fields of its own');
  if (minorNumber(cluster.minor) < minorNumber(kubernetes)) throw new NotApplicable(`the example is for ${kubernetes} on`);
  const target = Target.parse(cluster.minor, cluster.state?.featureGates ?? '');
  const off = Object.keys(featureGates ?? {}).filter(gate => !target.enabled(gate));
  if (off.length > 0) throw new NotApplicable(`needs --feature-gates ${off.map(gate => `${gate}=true`).join(',')}`);
}

async function writeAll(cluster, text) {
  // The examples of a migration are of our own kinds; no example takes them away.
  if (!prepared.has(cluster)) prepared.set(cluster, installOwnKinds(cluster));
  await prepared.get(cluster);
  try {
    return await writeEach(cluster, text);
  } finally {
    await removeObjects(cluster, defined.splice(0));
  }
}

async function writeEach(cluster, text) {
  const answers = [];
  for (const document of parseAllDocuments(text, { version: '1.1' })) {
    const object = document.toJS();
    if (object === null) continue;
    for (const item of object.kind === 'List' ? object.items : [object]) answers.push({ what: title(item), words: await write(cluster, item) });
  }
  return answers;
}

/** What the server says against an object; undefined if it takes it. */
async function write({ api }, object) {
  const path = await collectionPath(api, object);
  if (path === undefined) return `no matches for kind "${object.kind}" in version "${object.apiVersion}"`;
  const namespace = object.metadata?.namespace;
  if (namespace !== undefined) await makeNamespace(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  // What lies in it needs the namespace itself.
  if (object.kind === 'Namespace') return makeNamespace(api, object, defined);
  const { status, body } = await api.request('POST', `${path}?dryRun=All&fieldValidation=Strict`, object);
  return status < 300 || status === 409 ? undefined : (body.message ?? String(body));
}

async function makeNamespace(api, object, list = expected) {
  const { status, body } = await api.request('POST', '/api/v1/namespaces', object);
  if (status < 300) list.push(object);
  return status < 300 || status === 409 ? undefined : body.message;
}

/** Namespaces that examples expect, which stay for the next, and those that they define, with labels that the next may want otherwise. */
const expected = [];
const defined = [];

/** Clusters that have our own kinds. */
const prepared = new WeakMap();

/** Removes the namespaces that the examples used. */
export async function cleanUp(cluster) {
  await removeObjects(cluster, expected.splice(0));
  await removeOwnKinds(cluster);
  prepared.delete(cluster);
}
