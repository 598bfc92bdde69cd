import { ClusterView, clusterVersion, parseMinor, Target } from 'cdk8s-dra/model';
import type { Manifest } from 'cdk8s-dra/model';

import { UsageError } from '../command.js';
import type { Io } from '../io.js';
import { MissingPath } from './find-files.js';
import { placeText } from './input-finding.js';
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
  /** What an answer has to say besides what the view lacks, `unread` included. */
  readonly unknown: readonly string[];
  /** The first part of the files that could not be read, with its place and why: objects may be missing from the view. */
  readonly unread?: string;
}

/**
 * Throws UsageError where nothing can be read.
 *
 * @param hint the way out where a path is none, besides its correction
 */
export async function viewOfFiles(paths: readonly string[], options: TargetOptions, io: Io, hint = ''): Promise<FileView> {
  const { manifests, findings } = await read(paths, io, hint);
  const [broken] = findings.filter(({ severity }) => severity === 'error');
  if (manifests.length === 0) throw new UsageError(broken === undefined ? `no objects in ${paths.join(', ')}. Name files with Kubernetes objects, such as kubectl-dra collect writes` : `cannot read ${placeText(broken)}: ${broken.message}`);
  const view = ClusterView.of(manifests);
  const known = clusterVersion(view);
  const unread = broken === undefined ? undefined : `${placeText(broken)}: ${broken.message}`;
  const unknown = unread === undefined ? [] : [`part of ${unread}`];
  if (options.kubernetes === undefined && known?.from !== 'server') {
    unknown.push(known === undefined
      ? 'version of the cluster: 1.34 is taken; pass --kubernetes'
      : `version of the cluster: ${known.minor} is taken, that of its newest kubelet; pass --kubernetes if the API server is newer`);
  }
  const version = options.kubernetes ?? known?.minor ?? '1.34';
  // Gates of a collected file say nothing about another version.
  const collected = parseMinor(version) === known?.minor ? view.collection?.featureGates : undefined;
  return { view, manifests, target: targetOf(version, options.featureGates ?? collected ?? ''), unknown, ...unread === undefined ? {} : { unread } };
}

/** For answers that half of the objects would turn into wrong ones. */
export async function wholeViewOfFiles(paths: readonly string[], options: TargetOptions, io: Io): Promise<FileView> {
  const files = await viewOfFiles(paths, options, io);
  if (files.unread !== undefined) throw new UsageError(`cannot read ${files.unread} Everything must be read, else the answer is about half of the objects.`);
  return files;
}

async function read(paths: readonly string[], io: Io, hint: string): ReturnType<typeof readManifests> {
  try {
    return await readManifests(paths, { stdin: io.stdin });
  } catch (error) {
    if (error instanceof MissingPath) throw new UsageError(`${error.message}${hint === '' ? '' : `. ${hint}`}`);
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
