import { existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

import { collectionAnnotations } from 'cdk8s-dra/model';

import { exactJson } from '../../kube/exact-json.js';
import type { CollectOptions } from '../collect.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { Io } from '../io.js';
import { readCluster } from './read-cluster.js';
import type { ClusterObjects } from './read-cluster.js';

export async function runCollect(file: string, options: CollectOptions, io: Io): Promise<ExitCode> {
  const cluster = await readCluster(options);
  const text = listText(cluster);
  if (file === '-') io.out(text);
  else writeWhole(file, text);
  for (const line of cluster.refused) io.err(`left out: ${line}\n`);
  if (cluster.collection.featureGates === undefined) io.err('left out: feature gates: the metrics of the API server may not be read\n');
  io.err(`${cluster.objects.length} objects of ${cluster.collection.kinds.length} kinds, server ${cluster.collection.serverVersion}${file === '-' ? '' : `, written to ${file}`}\n`);
  return cluster.refused.length === 0 ? 0 : 1;
}

/** One object a line, which is JSON and YAML, keeps every digit of an integer and can be compared line by line. */
export function listText({ objects, collection }: Pick<ClusterObjects, 'objects' | 'collection'>): string {
  const metadata = exactJson({ annotations: collectionAnnotations(collection) });
  return `{"apiVersion":"v1","kind":"List","metadata":${metadata},"items":[\n${objects.map(exactJson).join(',\n')}\n]}\n`;
}

/** Under another name first, so that a full disk leaves no half of a file, and the file of before. */
export function writeWhole(file: string, text: string): void {
  try {
    if (existsSync(file) && !statSync(file).isFile()) {
      writeFileSync(file, text);
      return;
    }
    const target = existsSync(file) ? realpathSync(file) : file;
    const part = `${target}.part`;
    try {
      writeFileSync(part, text);
      renameSync(part, target);
    } finally {
      rmSync(part, { force: true });
    }
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${whyNot(error)}`);
  }
}

function whyNot(error: unknown): string {
  return WHY_NOT.get((error as NodeJS.ErrnoException).code ?? '') ?? String(error);
}

/** Without the name of the part, which nobody knows. */
const WHY_NOT: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its folder does not exist. Make it, or name another file.'],
  ['ENOTDIR', 'its folder does not exist. Make it, or name another file.'],
  ['EISDIR', 'it is a folder. Name a file in it.'],
  ['EACCES', 'permission denied. Name a file where you may write.'],
  ['EROFS', 'the file system is read-only. Name a file where you may write.'],
  ['ENOSPC', 'no space is left. Name a file on another disk.'],
]);
