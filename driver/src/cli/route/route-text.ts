import { API_GROUP, API_VERSION, ROUTING_NAME } from 'cdk8s-dra/model';
import type { RouteChange, RoutePlan } from 'cdk8s-dra/model';
import { dump } from 'js-yaml';

import { printable, section, styleFor } from '../explain/text-parts.js';

const ORDER = ['closes', 'opens', 'words'] as const;
const COLORS = { closes: 'red', opens: 'green', words: 'dim' } as const;

/**
 * The answer for a person: whether something differs, what closes and opens, in which order it would be written.
 *
 * @param paths where the migrations come from, if not from the cluster: writing follows those that the cluster has
 */
export function routeText(
  { changes, steps, mistakes, notes, routing }: RoutePlan, unknown: readonly string[], paths: readonly string[], hasColor: boolean,
): string {
  const style = styleFor(hasColor);
  const counts = ORDER.map((effect) => changes.filter((change) => change.effect === effect).length);
  const classes = Object.keys(routing.classes ?? {}).length;
  const head = mistakes.length > 0
    ? style('red', 'The routing cannot be written.')
    : steps.length === 0
      ? `Nothing differs: the doors of ${classes} ${classes === 1 ? 'class' : 'classes'} are as the migrations say.`
      : changes.length === 0 ? 'There is no DeviceRouting yet.' : `${counts[0]} to close, ${counts[1]} to open${counts[2] === 0 ? '' : `, ${counts[2]} with other words`}.`;
  const sorted = ORDER.flatMap((effect) => changes.filter((change) => change.effect === effect));
  return [
    style('bold', head),
    ...sorted.map((change) => `  ${changeText(change, style)}`),
    ...section('In the way:', mistakes, style),
    ...section('In this order:', steps.map(({ text }) => text), style),
    ...section('Good to know:', notes, style),
    ...section('Not known:', unknown, style),
    ...(steps.length > 0 && mistakes.length === 0 ? ['', `Next: ${paths.length === 0 ? '' : `apply ${paths.map(printable).join(' ')}, then `}kubectl-dra route --write`] : []),
  ].map((line) => `${line}\n`).join('');
}

function changeText({ effect, what, before, after }: RouteChange, style: ReturnType<typeof styleFor>): string {
  if (effect === 'words') return `${style('dim', 'words  ')} ${printable(what)}: ${printable(after)}`;
  return `${style(COLORS[effect], effect.padEnd(6))}  ${printable(what)}: ${printable(before)} -> ${printable(after)}`;
}

export function routeJson({ routing, bridges, changes, steps, mistakes, notes }: RoutePlan, unknown: readonly string[]): string {
  return `${JSON.stringify({ routing: objectOf(routing), bridges, changes, steps: steps.map(({ text }) => text), mistakes, notes, unknown }, null, 2)}\n`;
}

/** For kubectl apply --server-side. */
export function routeYaml({ routing }: RoutePlan): string {
  return dump(objectOf(routing), { lineWidth: -1, noRefs: true });
}

function objectOf(spec: RoutePlan['routing']): object {
  return { apiVersion: `${API_GROUP}/${API_VERSION}`, kind: 'DeviceRouting', metadata: { name: ROUTING_NAME }, spec };
}
