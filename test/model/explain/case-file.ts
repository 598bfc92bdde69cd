import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { explainPod } from '../../../src/model/explain';
import type { PodExplanation } from '../../../src/model/explain';
import type { JsonObject } from '../../../src/model/manifests/manifest-set';
import { Target } from '../../../src/model/target';
import { ClusterView } from '../../../src/model/view';

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
}

/** A cluster with a pod, and what is to be said about it. */
export interface ExplainCase {
  readonly file: string;
  readonly title: string;
  readonly kubernetes: string;
  readonly gates?: string;
  readonly pod: string;
  readonly expect: Expected;
  readonly objects: readonly JsonObject[];
}

const FOLDER = join(__dirname, 'cases');

/** Every file of `cases/`, sorted by name. */
export const CASES: readonly ExplainCase[] = readdirSync(FOLDER).sort().map(file => ({ file, ...parse(readFileSync(join(FOLDER, file), 'utf8')) as Omit<ExplainCase, 'file'> }));

export function viewOf(objects: readonly JsonObject[]): ClusterView {
  return ClusterView.of(objects.map(value => ({ value, source: { name: 'case' } })));
}

export function explained({ objects, pod, kubernetes, gates }: Omit<ExplainCase, 'file' | 'title' | 'expect'>): PodExplanation | undefined {
  const [namespace, name] = pod.split('/');
  return explainPod(viewOf(objects), namespace, name, Target.parse(kubernetes, gates));
}
