import { ClusterView, ManifestSet, MINORS, Target, runRules } from 'cdk8s-dra/model';
import type { Manifest, Severity } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import { MissingPath } from '../input/find-files.js';
import { placeText } from '../input/input-finding.js';
import { readManifests } from '../input/read-manifests.js';
import type { ManifestInput } from '../input/read-manifests.js';
import type { Io } from '../io.js';
import type { CheckResult } from './check-result.js';
import { IgnoreList } from './ignore-list.js';
import type { IgnoreEntry } from './ignore-list.js';
import { nothingToCheck } from './nothing-to-check.js';
import { Progress } from './progress.js';
import { reportFindings } from './reported-finding.js';

/** Everything that decides what a check finds. */
export interface CheckSettings {
  readonly paths: readonly string[];
  readonly kubernetes: string;
  /** `Name=true,component:Name=false`. */
  readonly featureGates: string;
  readonly ignore: readonly IgnoreEntry[];
  readonly failOn: Severity;
  /** Manifests of the commit before. */
  readonly previous?: readonly string[];
  /** Objects of the cluster that the manifests are for. */
  readonly snapshot?: readonly string[];
}

export interface CheckRun {
  readonly result: CheckResult;
  /** Entries of the ignore list that matched nothing. */
  readonly unusedIgnores: readonly IgnoreEntry[];
}

/** Reads and checks; throws UsageError for a path, version or gate that does not exist, or when there is no object to check. */
export async function runCheck(settings: CheckSettings, io: Io): Promise<CheckRun> {
  const target = targetOf(settings);
  const progress = new Progress(io);
  const input = await read(settings.paths, io, progress);
  if (input.manifests.length === 0 && input.findings.length === 0) throw nothingToCheck(settings.paths, input);
  progress.show('checking');
  const previous = await readBeside('--previous', settings.previous, io, progress);
  const cluster = await readBeside('--snapshot', settings.snapshot, io, progress);
  const snapshot = cluster === undefined ? undefined : ClusterView.of(cluster);
  // Without nodes every pool would look as planned.
  if (snapshot?.all('Node').length === 0) {
    throw new UsageError(`--snapshot ${settings.snapshot?.join(', ')} holds no Node to hold the plan against. Take the whole cluster: kubectl-dra collect cluster.json`);
  }
  const findings = runRules(input.manifests, target, {
    ...previous === undefined ? {} : { previous },
    ...snapshot === undefined ? {} : { snapshot },
  });
  progress.clear();
  const reported = reportFindings(input.findings, findings, input.files);
  const ignore = new IgnoreList(settings.ignore);
  const kept = reported.filter((finding) => !ignore.takes(finding));
  const objects = new ManifestSet(input.manifests).objects.length;
  // A List may be empty, and what could not be read may be ignored.
  if (objects === 0 && kept.length === 0) throw nothingToCheck(settings.paths, input, reported.length);
  const next = MINORS[MINORS.indexOf(target.minor) + 1];
  return {
    result: {
      kubernetes: target.minor,
      ...next === undefined ? {} : { nextKubernetes: next },
      featureGates: gatesOf(settings.featureGates),
      files: input.files.length,
      objects,
      otherDocuments: input.otherDocuments,
      findings: kept,
      ignored: reported.length - kept.length,
    },
    unusedIgnores: ignore.unused(),
  };
}

/** What is held against the manifests; undefined where the option is not given. */
async function readBeside(
  option: string, paths: readonly string[] | undefined, io: Io, progress: Progress,
): Promise<readonly Manifest[] | undefined> {
  if (paths === undefined) return undefined;
  const { findings, manifests } = await read(paths, io, progress);
  const broken = findings.find(({ severity }) => severity === 'error');
  if (broken !== undefined) throw new UsageError(`cannot read ${placeText(broken)} of ${option}: ${broken.message}`);
  if (manifests.length === 0) throw new UsageError(`no objects in ${option} ${paths.join(', ')}: it would find nothing. Correct the path, or leave the option out.`);
  return manifests;
}

function targetOf({ kubernetes, featureGates }: CheckSettings): Target {
  try {
    return Target.parse(kubernetes, featureGates);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function read(paths: readonly string[], io: Io, progress: Progress): Promise<ManifestInput> {
  try {
    return await readManifests(paths, {
      stdin: io.stdin,
      onProgress: (path, done, index, total) => progress.show(`reading ${index + 1} of ${total}: ${path}, ${Math.floor(done * 100)} %`),
    });
  } catch (error) {
    if (error instanceof MissingPath) throw new UsageError(error.message);
    throw error;
  } finally {
    progress.clear();
  }
}

function gatesOf(text: string): { [gate: string]: boolean } {
  return Object.fromEntries(text.split(',').map((part) => part.trim()).filter((part) => part !== '').sort().map((part) => {
    const [gate = '', value] = part.split('=');
    return [gate, value === 'true'];
  }));
}
