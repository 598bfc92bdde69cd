import { phasePath } from './phase-files';
import type { PreviewFile } from './preview-file';
import { inPhase, type PreviewInput, relatedTo } from './preview-input';
import { queueSection } from './queue-quota';
import { separationOf } from './separation-file';
import { pluginsOfPath, profileForDriver } from '../drivers';
import { bridges } from '../migration/bridge';
import { doorText } from '../migration/door-order';
import type { PlannedMigration } from '../migration/plan';
import { routing } from '../migration/routing';
import { type Phase, PHASES } from '../phases/phase';
import { phaseReality } from '../phases/reality';
import { adoptionText, nodeTemplatesText } from '../separation';

/** What the move of a pool means here, phase by phase, and what is done by hand around it. */
export function poolReadme(pool: PlannedMigration, input: PreviewInput): PreviewFile {
  const { name, spec } = pool;
  const { target, driverVersions } = input;
  const version = driverVersions[name];
  const profile = profileForDriver(spec.driver);
  const reality = phaseReality(profile, version, target, spec);
  const driver = `${spec.driver}${version === undefined ? '' : ` ${version}`}`;
  return {
    path: `${name}/README.md`,
    text: [
      `# Pool ${name}`,
      '',
      `${spec.family} devices by ${driver} on ${target.toString()}; the pool stands in **${spec.phase}**. Written by the synthesis; nothing in this folder is applied.`,
      '',
      ...phaseTable(pool, input),
      '',
      ...queueSection(pool, input),
      '## What really happens',
      '',
      ...reality.flatMap(({ moment, sentences }) => [`**${moment}**`, '', ...sentences.map(sentence => `- ${sentence}`), '']),
      '## Before Observe: adoption',
      '',
      adoptionText(pool),
      ...separationSection(pool.spec),
      '## New nodes',
      '',
      nodeTemplatesText(pool),
      '## In an emergency',
      '',
      `\`kubectl-dra hold ${name} --reason …\`, or without our tools \`kubectl create -f ${name}/hold.yaml\`. [rollback.md](rollback.md) is the way back by hand.`,
      '',
      '## Steps of their own, after the move',
      '',
      '> **Retire** and **decommission** are no phases. Neither is undone by a revert, so each is a commit that does nothing else.',
      '',
      `1. **Decommission the plugin**, not before PluginRemoved has stood for as long as you want a way back: delete its DaemonSet, or turn it off in its chart${nodeSide(pool.spec)}. `
      + 'From then on a rollback needs it installed again first.',
      `2. **Retire the migration**: remove DeviceMigration ${name} from Git, and delete it by hand, since GitOps engines are told to leave it. \`kubectl-dra check --previous\` says what opens. `
      + 'Classes and resources of no other migration are open for everyone afterwards, and no hold, gate or rollback reaches the pool.',
      '',
    ].join('\n'),
  };
}

function phaseTable(pool: PlannedMigration, { migrations, target }: PreviewInput): readonly string[] {
  const resources = pool.spec.legacy?.resources.map(({ name }) => name) ?? [];
  const cells = (phase: Phase): readonly string[] => {
    const related = relatedTo(inPhase(pool, phase), migrations);
    const doors = routing(related, target);
    const served = bridges(related, target).open;
    return [
      phase === pool.spec.phase ? `**${phase}** (now)` : `[${phase}](${phasePath(pool.name, phase).slice(pool.name.length + 1)})`,
      ...pool.spec.deviceClassNames.map(name => doorText(doors.classes?.[name])),
      ...resources.map(name => {
        const bridge = served.find(({ resource }) => resource === name);
        return bridge === undefined ? doorText(doors.resources?.[name]) : `Open, served by class ${bridge.deviceClassName}`;
      }),
    ];
  };
  const header = ['phase', ...pool.spec.deviceClassNames.map(name => `class ${name}`), ...resources];
  return [header, header.map(() => '---'), ...PHASES.map(cells)].map(row => `| ${row.join(' | ')} |`);
}

function separationSection(spec: PlannedMigration['spec']): readonly string[] {
  const notes = separationOf(spec).map(({ side, chart, notes: of }) => [side, chart, of] as const);
  return notes.length === 0 ? [] : [
    '`separation/` holds values for the charts that are known:',
    '',
    ...notes.map(([side, chart, of]) => `- ${side}: ${chart}.${of.map(note => ` ${note}`).join('')}`),
    '',
  ];
}

function nodeSide(spec: PlannedMigration['spec']): string {
  const cluster = pluginsOfPath(spec).flatMap(({ switches }) => switches).filter(({ scope, what }) => scope === 'cluster' && what === 'device plugin');
  return cluster.length === 0 ? '' : ` (${cluster.map(({ key, off }) => `\`${key}: ${off}\``).join(' or ')})`;
}
