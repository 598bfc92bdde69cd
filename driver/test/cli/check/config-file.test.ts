import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readConfig } from '../../../src/cli/check/config-file.js';
import { CONFIG_FILE } from '../../../src/cli/check/defaults.js';
import { UsageError } from '../../../src/cli/command.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-file-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function read(text: string): ReturnType<typeof readConfig> {
  writeFileSync(join(folder, CONFIG_FILE), text);
  return readConfig(undefined, folder);
}

test('without a file everything has its default', () => {
  expect(readConfig(undefined, folder)).toEqual({});
});

test('every setting is read', () => {
  expect(read(`
kubernetes: '1.36'
featureGates: {DRADeviceTaints: true, 'kubelet:DRAExtendedResource': false}
failOn: warning
ignore:
- code: DRA130
  path: legacy/**
  object: ResourceClaim/a
  reason: old
`)).toEqual({
    kubernetes: '1.36',
    featureGates: 'DRADeviceTaints=true,kubelet:DRAExtendedResource=false',
    failOn: 'warning',
    ignore: [{ code: 'DRA130', path: 'legacy/**', object: 'ResourceClaim/a', reason: 'old' }],
  });
});

test.each([
  ['# nothing\n', {}],
  ['kubernetes: 1.34\n', { kubernetes: '1.34' }],
  ['featureGates: A=true\n', { featureGates: 'A=true' }],
])('%j is %j', (text, config) => {
  expect(read(text)).toEqual(config);
});

test.each([
  ['kubernets: "1.34"', "the file has no setting 'kubernets', did you mean 'kubernetes'?"],
  ['zzz: 1', "the file has no setting 'zzz'; it has kubernetes, featureGates, ignore, failOn"],
  ['- a', 'the file must be a mapping with kubernetes, featureGates, ignore, failOn'],
  ['kubernetes: 10e0', 'kubernetes must be a version in quotes'],
  ['kubernetes: true', 'kubernetes must be a version in quotes'],
  ['kubernetes: 2', 'kubernetes must be a version in quotes'],
  ['featureGates: [a]', 'featureGates must be a mapping of gates to true or false'],
  ['featureGates: {A: "true"}', 'featureGates.A must be true or false'],
  ['failOn: fatal', 'failOn must be one of error, warning, info'],
  ['ignore: DRA130', 'ignore must be a list of entries with code and reason'],
  ['ignore: [DRA130]', 'ignore[0] must be a mapping with code, path, object, reason'],
  ['ignore: [{code: DRA130}]', 'ignore[0].reason must be a text that is not empty'],
  ['ignore: [{code: DRA130, reason: ""}]', 'ignore[0].reason must be a text that is not empty'],
  ['ignore: [{code: DRA130, reason: a, file: b}]', "ignore[0] has no setting 'file'"],
  ['a: 1\na: 2', ":2:1: the key 'a' stands twice"],
  ['a: [', ':1:5: invalid YAML'],
])('%j is refused', (text, message) => {
  expect(() => read(text)).toThrow(UsageError);
  expect(() => read(text)).toThrow(message);
});

test('a file that is named must exist', () => {
  expect(() => readConfig(join(folder, 'missing.yaml'), folder)).toThrow('missing.yaml: There is no such file');
});

test('a folder is no file of settings, and nothing to pipe', () => {
  expect(() => readConfig(folder, folder)).toThrow(`${folder}: This is a folder, not a file. Name a file with settings by --config.`);
});
