import { ClusterView, clusterVersion, explainNode, explainPod, nearest, parseMinor, Target } from 'cdk8s-dra/model';
import type { NodeExplanation, PodExplanation } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { ExplainOptions } from '../explain.js';
import { MissingPath } from '../input/find-files.js';
import { readManifests } from '../input/read-manifests.js';
import type { Io } from '../io.js';
import { explanationText } from './explanation-text.js';
import { nodeText } from './node-text.js';

/** Objects with what is known of where they come from. */
export interface ExplainInput {
  readonly view: ClusterView;
  readonly target: Target;
  /** Where to look when the command line names no namespace; undefined: wherever there is one pod of the name. */
  readonly namespace?: string | undefined;
  /** What the answer has to say besides what the view lacks. */
  readonly unknown: readonly string[];
}

export async function runExplain(pod: string, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const name = podName(pod);
  const input = options.from === undefined ? await fromCluster(options) : await fromFiles(options.from, options, io);
  const namespace = options.namespace ?? input.namespace ?? onlyNamespace(input.view, name);
  if (input.view.find('Pod', namespace, name) === undefined) throw new UsageError(absence(input.view, namespace, name));
  if (options.node !== undefined) {
    const onNode = explainNode(input.view, namespace, name, options.node, input.target);
    if (onNode === undefined) throw new UsageError(nodeAbsence(input.view, options.node));
    const told: NodeExplanation = { ...onNode, unknown: [...new Set([...onNode.unknown, ...input.unknown])].sort() };
    io.out(options.output === 'json' ? `${JSON.stringify(told, null, 2)}\n` : nodeText(told, io.hasColor));
    return 0;
  }
  const explanation = explainPod(input.view, namespace, name, input.target);
  if (explanation === undefined) throw new UsageError(absence(input.view, namespace, name));
  const answer: PodExplanation = { ...explanation, unknown: [...new Set([...explanation.unknown, ...input.unknown])].sort() };
  io.out(options.output === 'json' ? `${JSON.stringify(answer, null, 2)}\n` : explanationText(answer, io.hasColor));
  return 0;
}

function podName(given: string): string {
  const [kind = '', name] = given.split('/');
  if (name === undefined) return kind;
  if (!['pod', 'pods', 'po'].includes(kind.toLowerCase()) || name === '') throw new UsageError(`cannot explain '${given}': name a pod, as in kubectl-dra explain pod/trainer-0 -n vision`);
  return name;
}

async function fromCluster(options: ExplainOptions): Promise<ExplainInput> {
  const { inputFromCluster } = await import('./cluster-input.js');
  return inputFromCluster(options, (version, gates) => targetOf(options.kubernetes ?? version, options.featureGates ?? gates));
}

async function fromFiles(paths: readonly string[], options: ExplainOptions, io: Io): Promise<ExplainInput> {
  const { manifests, findings } = await read(paths, io);
  const [broken] = findings.filter(({ severity }) => severity === 'error');
  if (manifests.length === 0) throw new UsageError(broken === undefined ? `no objects in ${paths.join(', ')}` : `cannot read ${broken.file}: ${broken.message}`);
  const view = ClusterView.of(manifests);
  const known = clusterVersion(view);
  const unknown = broken === undefined ? [] : [`part of ${broken.file}: ${broken.message}`];
  if (options.kubernetes === undefined && known?.from !== 'server') {
    unknown.push(known === undefined
      ? 'version of the cluster: 1.34 is taken; pass --kubernetes'
      : `version of the cluster: ${known.minor} is taken, that of its newest kubelet; pass --kubernetes if the API server is newer`);
  }
  const version = options.kubernetes ?? known?.minor ?? '1.34';
  // Gates of a collected file say nothing about another version.
  const collected = parseMinor(version) === known?.minor ? view.collection?.featureGates : undefined;
  return { view, target: targetOf(version, options.featureGates ?? collected ?? ''), unknown };
}

async function read(paths: readonly string[], io: Io): ReturnType<typeof readManifests> {
  try {
    return await readManifests(paths, { stdin: io.stdin });
  } catch (error) {
    if (error instanceof MissingPath) throw new UsageError(error.message);
    throw error;
  }
}

function targetOf(version: string, gates: string): Target {
  try {
    return Target.parse(version, gates);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function onlyNamespace(view: ClusterView, name: string): string {
  const namespaces = view.all('Pod').filter((pod) => pod.name === name).map(({ namespace }) => namespace);
  if (namespaces.length > 1) throw new UsageError(`namespaces ${namespaces.join(', ')} have a pod ${name} each: choose one with -n`);
  return namespaces[0] ?? 'default';
}

function absence(view: ClusterView, namespace: string, name: string): string {
  const elsewhere = view.all('Pod').filter((pod) => pod.name === name).map((pod) => pod.namespace);
  if (elsewhere.length > 0) return `namespace ${namespace} has no pod ${name}, but ${elsewhere.join(', ')} has: choose it with -n`;
  const waiting = view.all('Pod').filter(({ value }) => (value.status as { phase?: unknown } | undefined)?.phase === 'Pending').map((pod) => `${pod.namespace}/${pod.name}`);
  const hint = waiting.length === 0 ? 'no pod is Pending there' : `Pending there: ${waiting.slice(0, 10).join(', ')}${waiting.length > 10 ? ` and ${waiting.length - 10} more` : ''}`;
  return `there is no pod ${name}; ${hint}`;
}

function nodeAbsence(view: ClusterView, name: string): string {
  const names = view.all('Node').map((node) => node.name);
  const meant = nearest(name, names);
  const some = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`;
  return `there is no node ${name}${meant === undefined ? names.length === 0 ? ': no nodes are known' : `; there are ${some}` : `, did you mean ${meant}?`}`;
}
