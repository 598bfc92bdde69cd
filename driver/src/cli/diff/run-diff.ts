import { DeviceUse, newestHeartbeat, planDifference } from 'cdk8s-dra/model';
import type { Manifest, PlanDifference } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { DiffOptions } from '../diff.js';
import { MissingPath } from '../input/find-files.js';
import { placeText } from '../input/input-finding.js';
import { readManifests } from '../input/read-manifests.js';
import { targetOf, wholeViewOfFiles } from '../input/view-of-files.js';
import type { Io } from '../io.js';
import { diffGithub } from './diff-github.js';
import { diffText } from './diff-text.js';

export async function runDiff(options: DiffOptions, io: Io): Promise<ExitCode> {
  if ([...options.base, ...options.head, ...options.from ?? []].filter((path) => path === '-').length > 1) {
    throw new UsageError('only one of --base, --head and --from can be standard input');
  }
  const base = await manifestsOf('--base', options.base, io);
  const head = await manifestsOf('--head', options.head, io);
  const snapshot = options.from === undefined ? undefined : await wholeViewOfFiles(options.from, options, io);
  const difference = planDifference({
    base,
    head,
    target: snapshot?.target ?? targetOf(options.kubernetes ?? '1.34', options.featureGates ?? ''),
    ...snapshot === undefined ? {} : { snapshot: { view: snapshot.view, use: new DeviceUse(snapshot.view, newestHeartbeat(snapshot.view)) } },
  });
  switch (options.output) {
    case 'json': io.out(`${JSON.stringify(difference, null, 2)}\n`); break;
    case 'github': io.out(diffGithub(difference, head)); break;
    default: io.out(diffText(difference, io.hasColor));
  }
  return isRefused(difference) ? 1 : 0;
}

function isRefused({ pools, quota, mistakes, objects }: PlanDifference): boolean {
  return mistakes.length > 0 || quota.excess.length > 0 || objects.irreversible.some((line) => line.includes('refuses'))
    || pools.some(({ problems }) => problems.some(({ severity }) => severity === 'error'));
}

/** Half of a commit would look like the removal of the other half, so whatever cannot be read stops it. */
async function manifestsOf(option: string, paths: readonly string[], io: Io): Promise<readonly Manifest[]> {
  try {
    const { manifests, findings, files } = await readManifests(paths, { stdin: io.stdin });
    const [broken] = findings.filter(({ severity }) => severity === 'error');
    if (broken !== undefined) throw new UsageError(`cannot read ${placeText(broken)}: ${broken.message} Everything must be read, else what is missing looks removed.`);
    if (manifests.length === 0) throw new UsageError(`no objects in ${option} ${paths.join(' ')}${files.length === 0 ? ': there is no *.yaml, *.yml or *.json' : ''}`);
    return manifests;
  } catch (error) {
    if (error instanceof MissingPath) throw new UsageError(`${option}: ${error.message}`);
    throw error;
  }
}
