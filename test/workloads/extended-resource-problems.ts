import { runRules } from '../../src/model/rules';
import { Target } from '../../src/model/target';

/** What the checks say about the extended resources of a pod. */
export function extendedResourceProblems(spec: object): string[] {
  const value = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pod' }, spec };
  return runRules([{ value, source: { name: 'pod.yaml' } }], Target.of('1.34')).filter(({ code }) => code === 'DRA153' || code === 'DRA155').map(({ message }) => message);
}
