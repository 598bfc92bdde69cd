// What our model says of a minor's feature gates and API versions, compared with what the server itself says.
import { loadModel } from '../../../tools/load-model.mjs';
import { expect, NotTried } from '../lib/suite.mjs';

const model = await loadModel('target/index.ts');

export const contracts = [
  { id: 'states', text: 'The server knows our gates with our stage and setting', where: 'live', run: states },
  { id: 'complete', text: 'The server has no gate of device allocation that we do not know', where: 'live', run: complete },
  { id: 'versions', text: 'The server serves the versions of resource.k8s.io that we say are on by default', where: 'lab', run: versions },
];

async function states(cluster) {
  const target = targetOf(cluster);
  const gates = await gatesOf(cluster);
  const wrong = [];
  for (const name of model.GATE_NAMES) {
    const ours = model.gateAt(name, cluster.minor);
    const theirs = gates.get(name);
    if (ours === undefined) {
      if (theirs !== undefined) wrong.push(`${name}: ours: unknown in ${cluster.minor}, the server's: ${theirs.stage} ${theirs.on ? 'on' : 'off'}`);
      continue;
    }
    const on = model.gateComponents(name, cluster.minor).includes('kube-apiserver') ? target.isOn(name, 'kube-apiserver') : ours.default;
    const told = `${ours.stage} ${on ? 'on' : 'off'}`;
    if (theirs === undefined) wrong.push(`${name}: ours: ${told}, the server does not know it`);
    else if (told !== `${theirs.stage} ${theirs.on ? 'on' : 'off'}`)
      wrong.push(`${name}: ours: ${told}, the server's: ${theirs.stage} ${theirs.on ? 'on' : 'off'}`);
  }
  expect(wrong.length === 0, wrong.join('\n'));
  return `${model.GATE_NAMES.length} gates`;
}

async function complete(cluster) {
  const unknown = [...(await gatesOf(cluster))].filter(
    ([name]) => /^DRA|DynamicResource|ResourceHealth|ResourceClaim/.test(name) && !model.isGateName(name),
  );
  expect(unknown.length === 0, unknown.map(([name, { stage, on }]) => `${name}: ${stage} ${on ? 'on' : 'off'}`).join('\n'));
}

async function versions(cluster) {
  if (cluster.state.runtimeConfig !== undefined) throw new NotTried('this cluster was started with --runtime-config');
  const { body } = await cluster.api.request('GET', '/apis/resource.k8s.io');
  const served = new Map();
  for (const { version } of body.versions) {
    const { resources } = await cluster.api.get(`/apis/resource.k8s.io/${version}`);
    for (const { kind, name } of resources) if (!name.includes('/')) served.set(kind, [...(served.get(kind) ?? []), version]);
  }
  const told = kinds =>
    [...kinds]
      .filter(([, list]) => list.length > 0)
      .map(([kind, list]) => `${kind}: ${[...list].sort().join(', ')}`)
      .sort()
      .join('\n');
  const ours = told(model.RESOURCE_KINDS.map(kind => [kind, model.servedVersions(kind, cluster.minor).onByDefault]));
  const theirs = told(served);
  expect(ours === theirs, `Ours:\n${ours}\nThe server's:\n${theirs}`);
  return theirs.replaceAll('\n', '; ');
}

function targetOf({ minor, state }) {
  try {
    return model.Target.parse(minor, state?.featureGates ?? '');
  } catch (error) {
    throw new NotTried(`our model refuses the gates of this cluster: ${error.message}`);
  }
}

/** Gates as the server's metrics show them. */
async function gatesOf({ api }) {
  const { status, body } = await api.request('GET', '/metrics');
  if (status !== 200) throw new NotTried('the metrics of the API server may not be read');
  const lines = [...String(body).matchAll(/^kubernetes_feature_enabled\{name="([^"]+)",stage="([^"]*)"\} (\d)/gm)];
  return new Map(lines.map(([, name, stage, on]) => [name, { stage: stage === '' ? 'ga' : stage.toLowerCase(), on: on === '1' }]));
}
