import type { PlatformDaemon, WayOver, WorkloadPath } from 'cdk8s-dra/model';
import { dump } from 'js-yaml';

import { printable, section, styleFor } from '../explain/text-parts.js';

const TITLES: { readonly [way in WayOver]: string } = {
  blocked: 'Blocked:',
  template: 'Need a claim template:',
  bridge: 'Ride the bridge as they are:',
};

interface TextOptions {
  readonly kubernetes: string;
  readonly unknown: readonly string[];
  readonly hasColor: boolean;
}

export function workloadsText(
  paths: readonly WorkloadPath[], daemons: readonly PlatformDaemon[], { kubernetes, unknown, hasColor }: TextOptions,
): string {
  const style = styleFor(hasColor);
  const of = (way: WayOver) => paths.filter((path) => path.way === way);
  const preempting = paths.filter(({ preemption }) => preemption !== undefined);
  const head = paths.length === 0
    ? `No workload asks a device plugin for anything (Kubernetes ${kubernetes}).`
    : `${some(paths, 'workload', 'workloads')}: ${some(of('bridge'), 'rides the bridge as it is', 'ride the bridge as they are')}, `
      + `${some(of('template'), 'needs a template', 'need a template')}, ${of('blocked').length} blocked`
      + `${preempting.length === 0 ? '' : `; ${some(preempting, 'relies on preemption', 'rely on preemption')}`} (Kubernetes ${kubernetes}).`;
  return [
    style('bold', head),
    ...(['blocked', 'template', 'bridge'] as const).flatMap((way) => {
      const those = of(way);
      return those.length === 0 ? [] : ['', style('bold', TITLES[way]), ...those.flatMap((path) => lines(path))];
    }),
    ...section('Rely on preemption:', preempting.map(({ workload, preemption }) => `${workload}: ${preemption}`), style),
    ...section('No workloads, but daemons that serve devices; DaemonSeparation keeps them to their nodes:', daemons.map(({ daemon, project, part }) => `${daemon}: ${part}${project === undefined ? '' : ` of ${project}`}`), style),
    ...section('Not known:', unknown, style),
  ].map((line) => `${line}\n`).join('');
}

function lines({ workload, asks, because, notes, template, podChange }: WorkloadPath): readonly string[] {
  return [
    `  ${printable(workload)}${asks.length === 0 ? '' : ` (${asks.map(printable).join(', ')})`}`,
    ...[...because, ...notes].map((line) => `    ${printable(line)}`),
    ...(template === undefined ? [] : indented(dump(template, { lineWidth: -1, noRefs: true }))),
    ...(podChange === undefined ? [] : [
      '    and in its pod template, instead of', ...podChange.remove.map((path) => `      - ${printable(path)}`), ...indented(dump(podChange.add, { lineWidth: -1, noRefs: true })),
    ]),
  ];
}

function indented(text: string): readonly string[] {
  return text.trimEnd().split('\n').map((line) => `      ${line}`);
}

function some(list: readonly unknown[], one: string, more: string): string {
  return `${list.length} ${list.length === 1 ? one : more}`;
}
