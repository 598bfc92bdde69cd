import * as fs from 'node:fs';
import * as path from 'node:path';

/**
 * A folder that belongs to the synthesis, except for files that it did not make.
 *
 * An index knows the files of the last run. It is written before the files, with old and new names, so that a run that is
 * interrupted leaves nothing behind that the next one does not know.
 */
export class OutputFolder {
  public constructor(private readonly folder: string) {}

  /** Makes the folder hold exactly these files, by relative path, beside foreign ones; unchanged files are not touched. */
  public write(files: ReadonlyMap<string, string>): void {
    fs.mkdirSync(this.folder, { recursive: true });
    const before = this.readIndex();
    const after = [...files.keys()].sort();
    this.replace(INDEX, indexText([...new Set([...before, ...after])].sort()));
    for (const name of after) this.replace(name, files.get(name)!);
    for (const name of before) if (!files.has(name)) this.remove(name);
    this.replace(INDEX, indexText(after));
  }

  private readIndex(): string[] {
    try {
      const lines = fs.readFileSync(path.join(this.folder, INDEX), 'utf8').split('\n');
      return lines.filter(line => line !== '' && !line.startsWith('#') && staysInside(line));
    } catch {
      return [];
    }
  }

  private replace(name: string, text: string): void {
    const file = path.join(this.folder, name);
    if (readOrUndefined(file) === text) return;
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(`${file}.part`, text, { encoding: 'utf8' });
    fs.renameSync(`${file}.part`, file);
  }

  private remove(name: string): void {
    fs.rmSync(path.join(this.folder, name), { force: true });
    for (let parent = path.dirname(name); parent !== '.'; parent = path.dirname(parent)) {
      const folder = path.join(this.folder, parent);
      if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) return;
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Plain text and hidden: GitOps engines read every `.yaml` and `.json` of a folder as manifests. */
const INDEX = '.cdk8s-dra-files';

function indexText(names: readonly string[]): string {
  return ['# Files written by the last synthesis; those missing from the next one are removed.', ...names, ''].join('\n');
}

/** The index may have been edited: a name must never lead out of the folder. */
function staysInside(name: string): boolean {
  return !path.isAbsolute(name) && !path.normalize(name).startsWith('..');
}

function readOrUndefined(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
