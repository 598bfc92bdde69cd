// What is checked together: a folder, a file, or one YAML block of a Markdown page.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

const { repositories } = JSON.parse(readFileSync(new URL('repositories.json', import.meta.url), 'utf8'));

/**
 * The parts of a folder: the listed paths when repositories.json knows it by its name <owner>+<name>, else the whole.
 * A part is `{ path }`, or `{ name, text }` for what has to go through standard input.
 */
export function partsOf(folder) {
  const name = basename(resolve(folder));
  const listed = repositories.find(({ repository }) => repository.replace('/', '+') === name);
  if (listed === undefined) return [{ path: folder }];
  return listed.paths.flatMap(pattern => {
    const paths = expand(folder, pattern).map(path => join(folder, path));
    if (paths.length === 0) throw new Error(`nothing in ${folder} matches ${pattern}: check out the commit that repositories.json names`);
    return paths.flatMap(path => path.endsWith('.md') ? blocksOf(path) : [{ path }]);
  });
}

/** Paths below a folder that match a pattern in which `*` stands for any part of one name; folders, manifests and Markdown. */
function expand(folder, pattern) {
  let found = [''];
  for (const segment of pattern.split('/')) {
    if (!segment.includes('*')) {
      found = found.map(path => join(path, segment)).filter(path => existsSync(join(folder, path)));
      continue;
    }
    const name = new RegExp(`^${segment.split('*').map(text => text.replace(/\W/g, '\\$&')).join('.*')}$`);
    found = found.filter(path => statSync(join(folder, path)).isDirectory()).flatMap(path => {
      const entries = readdirSync(join(folder, path), { withFileTypes: true });
      const useful = entries.filter(entry => name.test(entry.name) && (entry.isDirectory() || /\.(?:ya?ml|json|md)$/.test(entry.name)));
      return useful.map(entry => join(path, entry.name)).sort();
    });
  }
  return found;
}

/** The YAML blocks that hold objects, each after so many empty lines that line numbers are those of the page. */
function blocksOf(path) {
  const page = readFileSync(path, 'utf8');
  return [...page.matchAll(/^([ \t]*)```\s*ya?ml\b[^\n]*\n(.*?)^[ \t]*```/gims)].flatMap(({ 1: indent, 2: block, index }) => {
    if (!/^\s*kind:/m.test(block)) return [];
    const linesBefore = page.slice(0, page.indexOf('\n', index) + 1).split('\n').length - 1;
    const text = block.split('\n').map(line => line.startsWith(indent) ? line.slice(indent.length) : line).join('\n');
    return [{ name: path, text: '\n'.repeat(linesBefore) + text }];
  });
}
