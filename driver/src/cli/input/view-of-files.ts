import { ClusterView, clusterVersion, parseMinor, Target } from 'cdk8s-dra/model';
import type { Manifest } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import type { Io } from '../io.js';
import { MissingPath } from './find-files.js';
import { readManifests } from './read-manifests.js';

/** Which version and gates count, as options say. */
export interface TargetOptions {
  readonly kubernetes?: string | undefined;
  readonly featureGates?: string | undefined;
}

/** The objects of files, with what is known of their cluster. */
export interface FileView {
  readonly view: ClusterView;
  /** Kinds that a view leaves out, too. */
  readonly manifests: readonly Manifest[];
  readonly target: Target;
  /** What an answer has to say besides what the view lacks. */
  readonly unknown: readonly string[];
}

/** Throws UsageError where nothing can be read. */
export async function viewOfFiles(paths: readonly string[], options: TargetOptions, io: Io): Promise<FileView> {
  const { manifests, findings } = await read(paths, io);
  const [broken] = findings.filter(({ severity }) => severity === 'error');
  if (manifests.length === 0) throw new UsageError(broken === undefined ? `no objects in ${paths.join(', ')}` : `cannot read ${broken.file}: ${broken.message}`);
  const view = ClusterView.of(manifests);
  const known = clusterVersion(view);
  const unknown = broken === undefined ? [] : [`part of ${broken.file}: ${broken.message}`];
  if (options.kubernetes === undefined && known?.from !== 'server') {
    unknown.push(known === undefined
      ? 'version of the cluster: 1.34 is taken; pass --kubernetes'
      : `version of the cluster: ${known.minor} is taken, that of its newest kubelet; pass --kubernetes if the API server is newer`);
  }
  const version = options.kubernetes ?? known?.minor ?? '1.34';
  // Gates of a collected file say nothing about another version.
  const collected = parseMinor(version) === known?.minor ? view.collection?.featureGates : undefined;
  return { view, manifests, target: targetOf(version, options.featureGates ?? collected ?? ''), unknown };
}

async function read(paths: readonly string[], io: Io): ReturnType<typeof readManifests> {
  try {
    return await readManifests(paths, { stdin: io.stdin });
  } catch (error) {
    if (error instanceof MissingPath) throw new UsageError(error.message);
    throw error;
  }
}

export function targetOf(version: string, gates: string): Target {
  try {
    return Target.parse(version, gates);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
