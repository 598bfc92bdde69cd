import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.mjs';
import { SOURCES } from './layout.mjs';

/** The minors that have a Go module, ascending. */
export const MINORS = readdirSync(SOURCES)
  .filter(name => existsSync(join(SOURCES, name, 'go.mod')))
  .sort(byMinor);

/** The release that a minor's module requires, such as `1.36.3`. */
export function releaseOf(minor) {
  const file = join(SOURCES, minor, 'go.mod');
  const release = /^(?:require )?\s*k8s\.io\/kubernetes v(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1];
  if (release === undefined)
    throw new Failure(`${file} must require k8s.io/kubernetes, and does not. Restore it with git, or write it anew: node tools/cluster/modules.mjs.`);
  return release;
}

/** The oldest Go that compiles a minor, such as `1.26`. */
export function neededGo(minor) {
  return /^go (\d+\.\d+)/m.exec(readFileSync(join(SOURCES, minor, 'go.mod'), 'utf8'))[1];
}

/**
 * The Go files of a minor's program: those that all minors share, those of its own folder, and those of a folder such as `until-1.36`,
 * for what changed after that minor.
 */
export function sourceFiles(minor) {
  const until = readdirSync(SOURCES).filter(name => name.startsWith('until-') && byMinor(minor, name.slice('until-'.length)) <= 0);
  return ['.', ...until, minor].flatMap(folder =>
    readdirSync(join(SOURCES, folder))
      .filter(name => name.endsWith('.go'))
      .sort()
      .map(name => join(SOURCES, folder, name)),
  );
}

/** The files that name a minor's modules. */
export function moduleFiles(minor) {
  return ['go.mod', 'go.sum'].map(name => join(SOURCES, minor, name));
}

/** Refuses a version that no module is for. */
export function requireMinor(text, option) {
  if (MINORS.includes(text)) return text;
  const release = MINORS.find(minor => releaseOf(minor) === text.replace(/^v/, ''));
  if (release !== undefined) return release;
  throw new Failure(
    `${option} must be one of ${MINORS.join(', ')}, got "${text}". The release of each minor stands in test/cluster/go/<minor>/go.mod.`,
  );
}

/** Sorts `1.9` before `1.34`. */
export function byMinor(left, right) {
  return Number(left.split('.')[1]) - Number(right.split('.')[1]);
}
