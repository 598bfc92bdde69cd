import { UsageError } from '../command.js';
import type { ManifestInput } from '../input/read-manifests.js';

/**
 * What to say of an input without a Kubernetes object.
 *
 * It is never a success: in a pipeline the path is misspelt, or the command that renders failed.
 */
export function nothingToCheck(paths: readonly string[], input: ManifestInput, ignored = 0): UsageError {
  const { files } = input;
  const isStream = files.length === 1 && files[0] === '-';
  const help = isStream ? 'did the command before it fail?' : 'name the files or the folder that the manifests are rendered to, e.g. kubectl-dra check dist/';
  return new UsageError(`nothing to check: ${files.length === 0 ? `no *.yaml, *.yml or *.json in ${paths.join(', ')}` : `${foundIn(paths, input, ignored)}; ${help}`}`);
}

function foundIn(paths: readonly string[], { files, manifests, otherDocuments }: ManifestInput, ignored: number): string {
  const isOne = files.length === 1;
  const place = !isOne ? `all ${files.length} files in ${paths.join(', ')}` : files[0] === '-' ? 'standard input' : `the file ${files[0]}`;
  if (manifests.length + otherDocuments + ignored === 0) return `${place} ${isOne ? 'is' : 'are'} empty`;
  const beside = [
    ...otherDocuments === 0 ? [] : [`${otherDocuments} other ${otherDocuments === 1 ? 'document' : 'documents'}`],
    ...ignored === 0 ? [] : [`${ignored} ignored ${ignored === 1 ? 'finding' : 'findings'}`],
  ];
  return `no Kubernetes object in ${place}${beside.length === 0 ? '' : `, only ${beside.join(' and ')}`}`;
}
