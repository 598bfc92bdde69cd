// One case on a cluster: the pod stays Pending, explain says why, and each help that it offers ends it.
import { readFileSync, writeFileSync } from 'node:fs';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { sleep, waitFor } from '../../../tools/cluster/wait.mjs';
import { loadModel } from '../../../tools/load-model.mjs';
import { kubectlDra } from '../lib/program.mjs';
import { expect, minorNumber, NotTried } from '../lib/suite.mjs';
import { expectedIn } from './case-file.mjs';
import { keptObjects } from './kept-objects.mjs';
import { Stage } from './stage.mjs';
import { changesOf } from './tried-help.mjs';

const { failureOf, TRIED_HELP, Target } = await loadModel('index.ts');

/** In which nobody who is silent would have stayed so. */
const SILENCE = 1500;

/**
 * @param {import('./case-file.mjs').PendingCase} pendingCase
 * @param {{ collectTo: string, keepAs?: string }} options files for what `kubectl-dra collect` writes, and for the objects of the case in it
 * @returns {Promise<string>} evidence
 */
export async function tryCase(cluster, pendingCase, { collectTo, keepAs }) {
  requireFeatures(cluster, pendingCase);
  const stage = new Stage(cluster, pendingCase);
  try {
    await stage.set();
    await untilReported(cluster, stage, expectedIn(pendingCase, cluster.minor));
    const answer = await explain(cluster, stage, collectTo);
    judge(answer, expectedIn(pendingCase, cluster.minor));
    if (keepAs !== undefined) writeFileSync(keepAs, keptObjects(readFileSync(collectTo, 'utf8'), pendingCase));
    const trials = trialsOf(answer, pendingCase, cluster.minor);
    for (const [index, trial] of trials.entries()) {
      if (index > 0) {
        await stage.clear();
        await stage.set();
        await untilReported(cluster, stage, expectedIn(pendingCase, cluster.minor));
      }
      await tryHelp(cluster, stage, trial, collectTo, pendingCase.expect.bound);
    }
    return `${expectedIn(pendingCase, cluster.minor).cause}; ${trials.length} ways out`;
  } finally {
    await stage.close();
  }
}

/** What explain answers, about the file that collect writes. */
export async function explain(cluster, { pod: { namespace, name } }, collectTo) {
  const collected = await kubectlDra(['collect', collectTo, '--kubeconfig', adminKubeconfig(cluster.state)]);
  expect(collected.code === 0, `collect: exit code ${collected.code}. ${collected.stderr}`);
  const { code, stdout, stderr } = await kubectlDra(['explain', `pod/${name}`, '-n', namespace, '--from', collectTo, '-o', 'json']);
  expect(code === 0, `explain: exit code ${code}. ${stderr}`);
  return JSON.parse(stdout);
}

/** Throws unless the answer is as expected. */
export function judge(answer, { cause, says = [], help, others = [] }) {
  const wrong = [];
  const { name } = failureOf(answer.cause);
  if (name !== cause) wrong.push(`cause ${name}, expected ${cause}`);
  for (const part of says) if (!answer.because.includes(part)) wrong.push(`"${part}" is not said`);
  const given = answer.help.map(one => `${one.kind}: ${one.text}`);
  if (help !== undefined && !(given.length === help.length && help.every((part, i) => isHelp(answer.help[i], part)))) wrong.push(`expected help:\n  ${help.join('\n  ')}`);
  const named = answer.others.map(other => failureOf(other.cause).name);
  for (const other of others) if (!named.includes(other)) wrong.push(`${other} is not among the others`);
  expect(wrong.length === 0, `${wrong.join('\n')}\nAnswer: ${name}: ${answer.because}\nHelp:\n  ${given.join('\n  ')}\nOthers: ${named.join(', ')}\nUnknown: ${answer.unknown.join(', ')}`);
}

/** Whether a help is the one that `kind` or `kind: part of the text` means. */
function isHelp({ kind, text }, reference) {
  const [wanted, ...part] = reference.split(': ');
  return kind === wanted && text.includes(part.join(': '));
}

function requireFeatures({ minor, state }, { since, until, needs = [], without = [] }) {
  if (since !== undefined && minorNumber(minor) < minorNumber(since)) throw new NotTried(`from ${since} on`);
  if (until !== undefined && minorNumber(minor) > minorNumber(until)) throw new NotTried(`up to ${until}`);
  const target = Target.parse(minor, state.featureGates ?? '');
  const missing = needs.filter(gate => !isOn(target, gate));
  if (missing.length > 0) throw new NotTried(`needs ${missing.join(', ')}`);
  const present = without.filter(gate => isOn(target, gate));
  if (present.length > 0) throw new NotTried(`needs ${present.join(', ')} off`);
}

function isOn(target, gate) {
  try {
    return target.isOn(gate, 'kube-scheduler');
  } catch {
    return false;
  }
}

/** Waits until the scheduler has said what the case expects, or, when it says nothing, long enough to be sure. */
async function untilReported({ api }, { pod: { namespace, name } }, { scheduler, event }) {
  const state = async () => {
    const pod = await api.get(`/api/v1/namespaces/${namespace}/pods/${name}`);
    const { items } = await api.get(`/api/v1/namespaces/${namespace}/events?fieldSelector=involvedObject.name=${name}`);
    const events = items.filter(({ involvedObject }) => involvedObject.uid === pod.metadata.uid);
    const condition = (pod.status.conditions ?? []).find(({ type, reason }) => type === 'PodScheduled' && reason !== 'SchedulingGated');
    const words = [condition?.message, ...events.filter(({ reason }) => reason === 'FailedScheduling').map(({ message }) => message)].filter(text => text !== undefined);
    return { pod, words, events: events.map(({ reason, message }) => `${reason}: ${message}`), node: pod.spec.nodeName };
  };
  if (scheduler !== null && scheduler !== undefined) {
    const parts = [scheduler].flat();
    await waitFor(`the scheduler to say "${parts.join('" or "')}" of pod ${name}`, async () => {
      const { words, node } = await state();
      if (node !== undefined) throw Object.assign(new Error(`Pod ${name} is bound to ${node}.`), { fatal: true });
      return words.some(text => parts.some(part => text.includes(part))) ? { done: true } : words;
    });
  }
  if (event !== undefined) {
    await waitFor(`an event of pod ${name} with "${event}"`, async () => {
      const { events } = await state();
      return events.some(text => text.includes(event)) ? { done: true } : events;
    });
  }
  if (scheduler === null) {
    await sleep(SILENCE);
    const { words } = await state();
    expect(words.length === 0, `The scheduler is not silent: ${words.join('; ')}`);
  }
}

/** Every help of an answer as something to try: what was tried by explain is read off its text, the rest is in the case. */
function trialsOf(answer, { cures = [], name }, minor) {
  const fitting = cures.filter(({ since = minor, until = minor }) => minorNumber(since) <= minorNumber(minor) && minorNumber(minor) <= minorNumber(until));
  const automatic = answer.help.filter(({ kind }) => TRIED_HELP.includes(kind)).flatMap(help => changesOf(help, answer.knownBugs));
  const untold = answer.help.filter(help => !TRIED_HELP.includes(help.kind) && !cures.some(cure => isHelp(help, cure.help)));
  expect(untold.length === 0, `Case ${name} does not say how to follow: ${untold.map(({ kind, text }) => `${kind}: ${text}`).join('; ')}`);
  const stale = fitting.filter(cure => !answer.help.some(help => isHelp(help, cure.help)));
  expect(stale.length === 0, `Nobody offers: ${stale.map(({ help }) => help).join('; ')}. Offered: ${answer.help.map(({ kind, text }) => `${kind}: ${text}`).join('; ')}`);
  const byHand = fitting
    .filter(cure => cure.do !== undefined)
    .map(({ help, do: steps, nodes, then }) => ({
      text: help,
      nodes,
      then,
      make: async stage => {
        for (const step of steps) await stage.do(step);
      },
    }));
  return [...automatic, ...byHand];
}

async function tryHelp(cluster, stage, { text, nodes, then, make }, collectTo, bound = false) {
  const { namespace, name } = stage.pod;
  const before = await cluster.api.get(`/api/v1/namespaces/${namespace}/pods/${name}`);
  expect(before.spec.nodeName === undefined || bound, `Pod ${name} was bound to ${before.spec.nodeName} before anybody did "${text}".`);
  await make(stage);
  if (then !== undefined) {
    await waitFor(`${then} to be the cause after "${text}"`, async () => {
      const answer = await explain(cluster, stage, collectTo);
      return failureOf(answer.cause).name === then ? { done: true } : answer;
    });
    return;
  }
  const node = await waitFor(`pod ${name} to be bound after "${text}"`, async () => {
    const { body } = await cluster.api.request('GET', `/api/v1/namespaces/${namespace}/pods/${name}`);
    return body?.spec?.nodeName === undefined ? body?.status ?? body : { done: body.spec.nodeName };
  }, { seconds: 45 });
  expect(nodes === undefined || nodes.includes(node), `After "${text}" the pod went to ${node}, not to ${nodes?.join(' or ')}.`);
}
