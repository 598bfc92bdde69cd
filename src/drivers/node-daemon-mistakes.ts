import { labelKeyProblem, labelValueProblem } from '../model/names';
import { describeProblem, type Problem } from '../model/problem';

/** What a DaemonSet of a driver is placed and started by. */
export interface NodeDaemonPlace {
  readonly image: string;
  readonly pool?: string;
  readonly nodeLabels?: { readonly [key: string]: string };
}

/**
 * Throws for an image that no node can pull and for labels that no node can have: the API server takes them, and nothing runs.
 *
 * @param path of the construct
 */
export function refuseNoPlace(path: string, { image, pool, nodeLabels = {} }: NodeDaemonPlace): void {
  const mistakes = [
    ...mistake('image', image, imageProblem(image)),
    ...(pool === undefined ? [] : mistake('pool', pool, pool === '' ? NO_POOL : labelValueProblem(pool))),
    ...Object.entries(nodeLabels).flatMap(([key, value]) => [
      ...mistake('nodeLabels', key, labelKeyProblem(key)), ...mistake(`nodeLabels.${key}`, value, labelValueProblem(value)),
    ]),
  ];
  if (mistakes.length > 0) throw new Error(`[${path}] ${mistakes.join('\n  ')}`);
}

const NO_POOL: Problem = { rule: 'must be the value of the node label of a pool', help: 'Leave it out to mean all nodes with the label.' };

function imageProblem(image: string): Problem | undefined {
  if (typeof image !== 'string' || /^[^\s]+$/.test(image)) return undefined;
  return { rule: 'must be an image without spaces', help: 'Write for example registry.example.com/agent:1.' };
}

function mistake(field: string, given: unknown, problem: Problem | undefined): string[] {
  return problem === undefined ? [] : [describeProblem(field, given, problem)];
}
