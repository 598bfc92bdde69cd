import { execFileSync } from 'child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';

const ROOT = join(__dirname, '..');

/** Runs a module of the image tool, which is ESM. */
function evaluate(script: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: join(ROOT, 'tools', 'image'), encoding: 'utf8' });
}

test('the same files give the same layer, whatever their times and owners were', () => {
  const folder = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    writeFileSync(join(folder, 'source'), 'content');
    const layer = (name: string) => evaluate(`
      import { createHash } from 'node:crypto';
      import { utimesSync } from 'node:fs';
      import { ImageTree } from './image-tree.mjs';
      const tree = new ImageTree(${JSON.stringify(join(folder, name))});
      tree.copy('usr/bin/b', ${JSON.stringify(join(folder, 'source'))}, 0o755);
      tree.write('etc/a', 'a');
      tree.link('lib64/x', '/lib/x');
      utimesSync(tree.root + '/etc/a', 1, ${name.length});
      console.log(createHash('sha256').update(tree.tar(12345)).digest('hex'));
    `);

    expect(layer('one')).toBe(layer('another'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the list of contents names every package of the bundle once, with licence and locator', () => {
  const pins = { node: { version: '24.0.0', integrity: 'sha512-AAAA' }, debian: { packages: { libc6: { version: '2.36-9', sha256: 'ff' } } } };
  const inputs = ['../node_modules/pino/pino.js', '../node_modules/pino/lib/proto.js', 'src/node/main.ts'];
  const { packages, relationships } = JSON.parse(evaluate(`
    import { sbom } from './sbom.mjs';
    console.log(JSON.stringify(sbom({
      root: ${JSON.stringify(join(ROOT, 'driver'))}, version: '1.2.3', created: '2026-01-01T00:00:00Z', commit: 'abc',
      inputs: ${JSON.stringify(inputs)}, pins: ${JSON.stringify(pins)},
    })));
  `));

  expect(packages.map(({ name, licenseDeclared }: any) => `${name} ${licenseDeclared}`)).toEqual([
    'cdk8s-dra-driver Apache-2.0', 'libc6 NOASSERTION', 'node MIT', 'pino MIT',
  ]);
  expect(relationships).toHaveLength(4);
  expect(packages[2].checksums[0].checksumValue).toBe('000000');
});
