import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { systemProblem } from './file-bytes.js';
import type { ReadProblem } from './file-bytes.js';

/** One thing to read, or the reason why it cannot be. */
export interface FoundFile {
  /** As a person finds it: the given path, with the way below it. */
  readonly path: string;
  /** A pipe that the shell or the user handed over: read as a stream. */
  readonly isStream: boolean;
  /** Named by the user, not found in a folder. */
  readonly isGiven: boolean;
  readonly problem?: ReadProblem;
}

/** A path the user gave that does not exist. */
export class MissingPath extends Error {}

/**
 * The manifests of the given paths, in the order of the paths, folders sorted by name. Folders are searched for
 * `*.yaml`, `*.yml` and `*.json`, hidden folders and `node_modules` left out; a file reached twice is named once.
 */
export function findFiles(paths: readonly string[]): FoundFile[] {
  const missing = paths.filter((path) => path !== '-' && !exists(path));
  if (missing.length > 0) throw new MissingPath(`no such file or folder: ${missing.map(shownPath).join(', ')}`);
  const search = new Search();
  for (const path of paths) search.add(path, true);
  return search.files;
}

/** A path as an error shows it; in scripts an empty one comes from a variable. */
export function shownPath(path: string): string {
  return path === '' ? "'' (an empty path; is a variable unset?)" : path;
}

class Search {
  public readonly files: FoundFile[] = [];
  private readonly seen = new Set<string>();

  public add(path: string, isGiven: boolean): void {
    if (path === '-' || HANDED_OVER.test(path)) {
      // The second time it is at its end.
      if (this.seen.has(path)) return;
      this.seen.add(path);
      this.files.push({ path, isStream: true, isGiven });
      return;
    }
    let stats;
    try {
      stats = statSync(path, { bigint: true });
    } catch (error) {
      if (isGiven || MANIFEST.test(path)) this.files.push({ path, isStream: false, isGiven, problem: systemProblem(error) });
      return;
    }
    const identity = `${stats.dev}:${stats.ino}`;
    if (!isGiven && !stats.isDirectory() && !MANIFEST.test(path)) return;
    if (this.seen.has(identity)) return;
    this.seen.add(identity);
    if (stats.isDirectory()) this.addFolder(path, isGiven);
    else this.files.push({ path, isStream: false, isGiven });
  }

  private addFolder(folder: string, isGiven: boolean): void {
    let names: string[];
    try {
      names = readdirSync(folder).sort(compareText);
    } catch (error) {
      this.files.push({ path: folder, isStream: false, isGiven, problem: systemProblem(error) });
      return;
    }
    for (const name of names) {
      const path = join(folder, name);
      if (name !== 'node_modules' && !(name.startsWith('.') && isFolder(path))) this.add(path, false);
    }
  }
}

const MANIFEST = /\.(?:ya?ml|json)$/i;

/** Names under which a shell hands over a pipe, as in `check <(helm template .)`. */
const HANDED_OVER = /^\/dev\/(?:stdin|fd\/\d+)$/;

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
