import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { explainPod } from '../../../src/model/explain';
import type { PodExplanation } from '../../../src/model/explain';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';
import { ClusterView, collectionAnnotations } from '../../../src/model/view';

/** What an answer has to be; texts are parts of those that are given. */
export interface Expected {
  readonly cause: string;
  readonly says?: readonly string[];
  /** `kind: part of the text`, in order and complete; absent: not looked at. */
  readonly help?: readonly string[];
  readonly noHelp?: readonly string[];
  /** Names of other causes, among others. */
  readonly others?: readonly string[];
  readonly unknown?: readonly string[];
  /** Ids of upstream's mistakes, in order and complete; default: none. */
  readonly knownBugs?: readonly string[];
}

/** A cluster with a pod, and what is to be said about it. */
export interface ExplainCase {
  readonly file: string;
  readonly title: string;
  readonly kubernetes: string;
  readonly gates?: string;
  /** The version that the server of a collected file gives. */
  readonly server?: string;
  readonly pod: string;
  readonly expect: Expected;
  readonly objects: readonly JsonObject[];
}

const FOLDER = join(__dirname, 'cases');

/** Every file of `cases/`, sorted by name. */
export const CASES: readonly ExplainCase[] = readdirSync(FOLDER).sort().map(file => ({ file, ...parse(readFileSync(join(FOLDER, file), 'utf8')) as Omit<ExplainCase, 'file'> }));

export function viewOf(objects: readonly JsonObject[], server?: string): ClusterView {
  const annotations = collectionAnnotations({ serverVersion: server ?? '', kinds: ['Event'] });
  const list = { apiVersion: 'v1', kind: 'List', ...(server === undefined ? {} : { metadata: { annotations } }), items: objects };
  return ClusterView.of([{ value: list, source: { name: 'case' } }]);
}

export function explained({ objects, pod, kubernetes, gates, server }: Omit<ExplainCase, 'file' | 'title' | 'expect'>): PodExplanation | undefined {
  const [namespace, name] = pod.split('/');
  return explainPod(viewOf(objects, server), namespace, name, Target.parse(kubernetes, gates));
}
