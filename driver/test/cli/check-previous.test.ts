import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { migration } from './migration/pools.js';
import { run } from './recorded-io.js';

let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'previous-')); });
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, ...objects: readonly object[]): string {
  writeFileSync(join(folder, name), objects.map((object) => JSON.stringify(object)).join('\n---\n'));
  return join(folder, name);
}

interface Found {
  readonly code: string;
  readonly severity: string;
  readonly line?: number;
  readonly path: string;
}

async function moves(before: readonly object[], after: readonly object[]): Promise<readonly (readonly unknown[])[]> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'sandbox' } };
  const { out } = await run(['check', file('after.yaml', ...after, namespace), '--previous', file('before.yaml', ...before), '-o', 'json']);
  const { findings } = JSON.parse(out) as { readonly findings: readonly Found[] };
  return findings.filter(({ code }) => /^DRA40[1-6]$/.test(code)).map(({ code, severity, path, line }) => [code, severity, path, line]);
}

test.each([
  ['a skipped phase', [migration('a', { phase: 'Observe' })], [migration('a', { phase: 'Expand' })], [['DRA401', 'error', 'spec.phase', 1]]],
  ['a canary that shrinks', [migration('a', { canary: { nodes: 4, namespaces: ['sandbox'] } })], [migration('a')], [['DRA402', 'error', 'spec.canary.nodes', 1]]],
  ['a pool that is gone in the middle', [migration('a')], [], [['DRA404', 'error', '', 1]]],
  ['a pool that is retired', [migration('a', { phase: 'PluginRemoved' })], [], [['DRA404', 'warning', '', 1]]],
  ['a promotion', [migration('a')], [migration('a', { phase: 'Expand' })], []],
  ['the way back', [migration('a', { phase: 'AllWorkloads' })], [migration('a', { phase: 'Observe' })], []],
])('%s', async (_, before, after, expected) => {
  expect(await moves(before, after)).toEqual(expected);
});

test('a migration that can no longer be read is not taken for gone', async () => {
  expect(await moves([migration('a')], [migration('a', { phase: 'Soon' })])).toEqual([]);
});

test('a folder before that cannot be read is wrong usage: nothing would look moved', async () => {
  writeFileSync(join(folder, 'broken.yaml'), 'apiVersion: v1\nkind: [x');

  const { code, err } = await run(['check', file('after.yaml', migration('a')), '--previous', join(folder, 'broken.yaml')]);

  expect(code).toBe(2);
  expect(err).toContain('of --previous');
});

test.each(['--previous', '--snapshot'])('an empty file for %s is wrong usage: nothing would be found', async (option) => {
  const empty = file('empty.yaml');

  expect(await run(['check', file('after.yaml', migration('a')), option, empty])).toEqual({
    code: 2, out: '', err: `error: no objects in ${option} ${empty}: it would find nothing. Correct the path, or leave the option out.\n`,
  });
});

test('a snapshot without nodes is wrong usage: every pool would look as planned', async () => {
  const snapshot = file('classes.yaml', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } });

  const { code, err } = await run(['check', file('after.yaml', migration('a')), '--snapshot', snapshot]);

  expect(code).toBe(2);
  expect(err).toBe(`error: --snapshot ${snapshot} holds no Node to hold the plan against. Take the whole cluster: kubectl-dra collect cluster.json\n`);
});

test('nodes in a List, as collect and kubectl write them, are nodes', async () => {
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { other: 'x' } } };

  const { code, out } = await run(['check', file('plan.yaml', migration('a')), '--snapshot', file('cluster.yaml', { apiVersion: 'v1', kind: 'List', items: [node] }), '-o', 'json']);

  expect(code).toBe(0);
  expect(out).toContain('DRA431');
});

test('a snapshot tells what the nodes of the cluster say against the plan', async () => {
  const plan = file('plan.yaml', migration('a'));
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', labels: { other: 'x' } } };

  const { out } = await run(['check', plan, '--snapshot', file('cluster.yaml', node), '-o', 'json']);
  const { findings } = JSON.parse(out) as { readonly findings: readonly Found[] };

  expect(findings.filter(({ code }) => /^DRA43/.test(code)).map(({ code, path }) => [code, path])).toEqual([['DRA431', 'spec.nodes']]);
});
