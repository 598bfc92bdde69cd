import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { explainPod } from '../../src/model/explain';
import type { PodExplanation } from '../../src/model/explain';
import { failureOf, FAILURES } from '../../src/model/failures';
import type { JsonObject } from '../../src/model/manifests/manifest-set';
import { Target } from '../../src/model/target';
import { ClusterView, clusterVersion } from '../../src/model/view';

/*
 * What real control planes had when a pod stayed Pending, as `kubectl-dra collect` wrote it. How each came about, and that the help was
 * tried, is the matter of the suite: npm run test:cluster -- --suite explain. A file is made by node test/cluster/pending/record.mjs CASE.
 */

interface Expected {
  readonly cause: string;
  readonly says?: readonly string[];
  readonly help?: readonly string[];
  readonly others?: readonly string[];
}

/** See test/cluster/pending/case-file.mjs. */
interface PendingCase {
  readonly title: string;
  readonly pod: string;
  readonly setup: readonly JsonObject[];
  readonly expect: Expected & { readonly in?: Readonly<Record<string, Partial<Expected>>> };
  readonly cures?: readonly { readonly help: string }[];
}

const NAMES = readdirSync(join(__dirname, 'pending')).filter(file => file.endsWith('.yaml')).map(file => file.replace('.yaml', '')).sort();
const CASES = NAMES.map(name => ({ name, ...parse(readFileSync(join(__dirname, 'pending', `${name}.yaml`), 'utf8')) as PendingCase }));

function fileOf(name: string): string {
  return join(__dirname, 'collected', `${name}.json`);
}

function explained(name: string, pod: string): { readonly answer: PodExplanation; readonly minor: string } {
  const list = JSON.parse(readFileSync(fileOf(name), 'utf8')) as JsonObject;
  const view = ClusterView.of([{ value: list, source: { name } }]);
  const minor = clusterVersion(view)?.minor ?? '';
  const answer = explainPod(view, name, pod, Target.parse(minor, view.collection?.featureGates ?? ''));
  if (answer === undefined) throw new Error(`${fileOf(name)} has no pod ${pod}.`);
  return { answer, minor };
}

test('every case was seen on a real control plane', () => {
  expect(NAMES.filter(name => !existsSync(fileOf(name)))).toEqual([]);
  expect(readdirSync(join(__dirname, 'collected')).filter(file => !NAMES.includes(file.replace('.json', '')))).toEqual([]);
});

test.each(CASES.map(one => [one.title, one] as const))('%s', (_, { name, pod, expect: expected, cures = [] }) => {
  const { answer, minor } = explained(name, pod);
  const { cause, says = [], help, others = [] } = { ...expected, ...expected.in?.[minor] };

  expect(failureOf(answer.cause).name).toBe(cause);
  for (const part of says) expect(answer.because).toContain(part);
  if (help) expect(answer.help.map((one, i) => (isHelp(one, help[i] ?? '') ? help[i] : `${one.kind}: ${one.text}`))).toEqual(help);
  expect(answer.others.map(other => failureOf(other.cause).name)).toEqual(expect.arrayContaining([...others]));
  for (const { help: offered, since = minor, until = minor } of cures as readonly { help: string; since?: string; until?: string }[]) {
    if (since <= minor && minor <= until) expect(answer.help.filter(one => isHelp(one, offered))).not.toEqual([]);
  }
});

/** Whether a help is the one that `kind` or `kind: part of the text` means. */
function isHelp({ kind, text }: PodExplanation['help'][number], reference: string): boolean {
  const [wanted, ...part] = reference.split(': ');
  return kind === wanted && text.includes(part.join(': '));
}

test('names of what all namespaces share begin with the name of the case, so that cases can share a cluster', () => {
  const shared = new Set(['DeviceClass', 'DeviceTaintRule', 'Namespace', 'Node', 'PriorityClass', 'ResourceSlice', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding']);
  const wrong = CASES.flatMap(({ name, setup }) => setup
    .filter(({ kind }) => shared.has(String(kind)))
    .map(object => String(object.name ?? (object.metadata as JsonObject).name))
    .filter(given => !given.startsWith(name))
    .map(given => `${name}: ${given}`));

  expect(wrong).toEqual([]);
});

test('every cause that holds a pod has a case, but for those that need a real node or another scheduler', () => {
  const seen = new Set(CASES.flatMap(({ expect: { cause, others = [], in: minors = {} } }) => {
    return [cause, ...others, ...Object.values(minors).map(one => one.cause)];
  }));
  const causes = FAILURES.filter(({ code }) => code >= 'DRA210' && code < 'DRA280').map(({ name }) => name);

  expect(causes.filter(name => !seen.has(name)).sort()).toEqual(ELSEWHERE.map(([name]) => name).sort());
});

/** Where they are tried, or why they are not. */
const ELSEWHERE: readonly (readonly [cause: string, why: string])[] = [
  ['allocation-aborted', 'every error of the allocators that a server lets come about has a cause of its own'],
  ['device-lost', 'a warning beside what else is said of a pod, which holds none: test/model/explain'],
  ['driver-not-registered', 'suite explain-node'],
];
