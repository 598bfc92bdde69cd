import { fileName, recordName } from './record-name.js';

/** What is to become of a file; without content it goes. */
export interface Mending {
  readonly file: string;
  readonly content: string | undefined;
}

/**
 * What a loss of power did to records, undone.
 *
 * Names of files may be older afterwards than what was promised, and their content missing. `told`: what the journal of that boot says, `there`: what
 * stands in the folder.
 */
export function mendRecords(
  told: ReadonlyMap<string, string | undefined>, there: ReadonlyMap<string, string>, isDamaged: (file: string) => boolean,
): readonly Mending[] {
  const mendings: Mending[] = [];
  for (const [file, content] of told) {
    const name = recordName(file);
    // A path must never be made from anything else.
    if (name === undefined) continue;
    const leaving = fileName({ kind: 'releasing', uid: name.uid });
    if (content !== undefined && name.kind === 'claim' && there.has(leaving) && !told.has(leaving)) {
      // It was on its way out already; that line is lost, or was never written.
      mendings.push({ file, content: undefined });
      if (isDamaged(leaving)) mendings.push({ file: leaving, content });
    } else if (there.get(file) !== content) {
      mendings.push({ file, content });
    }
  }
  for (const file of there.keys()) {
    // Begun after the journal and never told to it: nothing was done for it.
    const isLeaving = told.has(file.replace('.releasing.', '.'));
    if (!told.has(file) && !isLeaving && isDamaged(file)) mendings.push({ file, content: undefined });
  }
  return mendings;
}
