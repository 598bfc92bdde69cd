import { createReadStream } from 'node:fs';

import type { Manifest } from 'cdk8s-dra/model';

import { DocumentCollector } from './document-collector.js';
import { readFileBytes, readStreamBytes } from './file-bytes.js';
import { findFiles } from './find-files.js';
import type { FoundFile } from './find-files.js';
import { INPUT_CODES } from './input-finding.js';
import type { InputFinding } from './input-finding.js';

/** Everything that the given paths hold. */
export interface ManifestInput {
  readonly manifests: readonly Manifest[];
  readonly findings: readonly InputFinding[];
  /** Names of the files in the order read, those that could not be read included. */
  readonly files: readonly string[];
  /** Documents that are no Kubernetes objects: values, kustomizations, anything without apiVersion, kind and a name. */
  readonly otherDocuments: number;
}

export interface ReadOptions {
  readonly stdin: AsyncIterable<Buffer | string>;
  /** Called often, with the file under read and how much of it is done, 0 to 1. */
  onProgress?(path: string, done: number, index: number, total: number): void;
}

/**
 * Reads manifests from files, folders and `-`. Whatever a file holds comes back as a finding; throws MissingPath only,
 * for a given path that does not exist.
 */
export async function readManifests(paths: readonly string[], options: ReadOptions): Promise<ManifestInput> {
  const files = findFiles(paths);
  let at = 0;
  const collector = new DocumentCollector((path, done) => options.onProgress?.(path, done, at, files.length));
  for (const [index, file] of files.entries()) {
    at = index;
    options.onProgress?.(file.path, 0, index, files.length);
    const bytes = file.problem ?? await bytesOf(file, options.stdin);
    if (Buffer.isBuffer(bytes)) {
      collector.addFile(file, bytes);
    } else {
      collector.report({ code: INPUT_CODES.unreadable, severity: 'error', file: file.path, ...bytes });
    }
  }
  return { ...collector.result(), files: files.map((file) => file.path) };
}

async function bytesOf(file: FoundFile, stdin: ReadOptions['stdin']): Promise<ReturnType<typeof readFileBytes>> {
  if (!file.isStream) return readFileBytes(file.path);
  return readStreamBytes(file.path === '-' ? stdin : createReadStream(file.path));
}
