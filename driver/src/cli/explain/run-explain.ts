import { explainNode, explainPod, nearest } from 'cdk8s-dra/model';
import type { ClusterView, NodeExplanation, PodExplanation, Target } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { ExplainOptions } from '../explain.js';
import { viewOfFiles } from '../input/view-of-files.js';
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
  /** Part of the files that could not be read: what is missing may stand there. */
  readonly unread?: string;
}

export async function runExplain(pod: string, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const name = podName(pod);
  const input: ExplainInput = options.from === undefined ? await fromCluster(options) : await viewOfFiles(options.from, options, io, 'Name the pod before --from, which takes every path after it');
  const namespace = options.namespace ?? input.namespace ?? onlyNamespace(input.view, name);
  if (input.view.find('Pod', namespace, name) === undefined) throw new UsageError(absence(input, namespace, name));
  if (options.node !== undefined) {
    const onNode = explainNode(input.view, namespace, name, options.node, input.target);
    if (onNode === undefined) throw new UsageError(nodeAbsence(input.view, options.node));
    const told: NodeExplanation = { ...onNode, unknown: [...new Set([...onNode.unknown, ...input.unknown])].sort() };
    io.out(options.output === 'json' ? `${JSON.stringify(told, null, 2)}\n` : nodeText(told, io.hasColor));
    return 0;
  }
  const explanation = explainPod(input.view, namespace, name, input.target);
  if (explanation === undefined) throw new UsageError(absence(input, namespace, name));
  const answer: PodExplanation = { ...explanation, unknown: [...new Set([...explanation.unknown, ...input.unknown])].sort() };
  io.out(options.output === 'json' ? `${JSON.stringify(answer, null, 2)}\n` : explanationText(answer, io.hasColor));
  return 0;
}

function podName(given: string): string {
  const [kind = '', name, ...rest] = given.split('/');
  if (name === undefined) return kind;
  if (!['pod', 'pods', 'po'].includes(kind.toLowerCase()) || name === '' || rest.length > 0) throw new UsageError(`cannot explain '${given}': name a pod, as in kubectl-dra explain pod/trainer-0 -n vision`);
  return name;
}

async function fromCluster(options: ExplainOptions): Promise<ExplainInput> {
  const { inputFromCluster } = await import('./cluster-input.js');
  return inputFromCluster(options);
}

function onlyNamespace(view: ClusterView, name: string): string {
  const namespaces = view.all('Pod').filter((pod) => pod.name === name).map(({ namespace }) => namespace);
  if (namespaces.length > 1) throw new UsageError(`namespaces ${namespaces.join(', ')} have a pod ${name} each: choose one with -n`);
  return namespaces[0] ?? 'default';
}

function absence({ view, unread }: ExplainInput, namespace: string, name: string): string {
  const elsewhere = view.all('Pod').filter((pod) => pod.name === name).map((pod) => pod.namespace);
  if (elsewhere.length > 0) return `namespace ${namespace} has no pod ${name}, but ${elsewhere.join(', ')} has: choose it with -n`;
  const waiting = view.all('Pod').filter(({ value }) => (value.status as { phase?: unknown } | undefined)?.phase === 'Pending').map((pod) => `${pod.namespace}/${pod.name}`);
  const hint = waiting.length === 0 ? 'no pod is Pending there' : `Pending there: ${waiting.slice(0, 10).join(', ')}${waiting.length > 10 ? ` and ${waiting.length - 10} more` : ''}`;
  return `there is no pod ${name}; ${hint}${unread === undefined ? '' : `. It may stand in what cannot be read, ${unread}`}`;
}

function nodeAbsence(view: ClusterView, name: string): string {
  const names = view.all('Node').map((node) => node.name);
  const meant = nearest(name, names);
  const some = `${names.slice(0, 10).join(', ')}${names.length > 10 ? ` and ${names.length - 10} more` : ''}`;
  return `there is no node ${name}${meant === undefined ? names.length === 0 ? ': no nodes are known' : `; there are ${some}` : `, did you mean ${meant}?`}`;
}
