import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { milliseconds } from 'cdk8s-dra/model';
import * as fc from 'fast-check';

import { decodeConfiguration } from '../../../src/node/config/agent-configuration.js';
import { ConfigurationError, parseConfiguration, readConfiguration } from '../../../src/node/config/read-configuration.js';

const HEAD = `apiVersion: cdk8s-dra.dev/v1alpha1
kind: NodeAgentConfiguration
driverName: sim.cdk8s-dra.dev
family: sim
`;
const DEVICES = `devices:
  backend: simulated
  fleet:
    - { name: 'sim-{index}', count: 4 }
`;

function parse(text: string) {
  return parseConfiguration('agent.yaml', text);
}

test('what is left out has its default', () => {
  expect(parse(HEAD + DEVICES)).toEqual({
    driverName: 'sim.cdk8s-dra.dev',
    family: 'sim',
    roles: ['driver'],
    devices: { backend: 'simulated', fleet: [{ name: 'sim-{index}', count: 4 }] },
    kubeletRoot: '/var/lib/kubelet',
    cdiRoot: '/var/run/cdi',
    hostRoot: '/',
    dataFolder: '/var/lib/kubelet/plugins/sim.cdk8s-dra.dev',
    claimStatus: false,
    times: { registration: 20_000, registrationAttempts: 3, shutdown: 25_000, discovery: 30_000, health: 5000, ghost: 300_000 },
    http: { address: '0.0.0.0', port: 9464 },
    log: { level: 'info' },
  });
});

test('everything can be said, in JSON too', () => {
  const given = {
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'NodeAgentConfiguration',
    driverName: 'sim.cdk8s-dra.dev',
    family: 'sim',
    roles: ['driver', 'witness'],
    devices: { backend: 'simulated', fleet: [] },
    kubeletRoot: '/data/kubelet',
    cdiRoot: '/etc/cdi',
    hostRoot: '/host',
    dataFolder: '/data/kubelet/plugins/sim',
    times: { registration: '1m', registrationAttempts: 5, shutdown: '2m30s', discovery: '1m', health: '1500ms', ghost: '1h' },
    http: { address: '::1', port: 0 },
    log: { level: 'debug' },
  };

  expect(parse(JSON.stringify(given))).toMatchObject({
    roles: ['driver', 'witness'],
    kubeletRoot: '/data/kubelet',
    cdiRoot: '/etc/cdi',
    hostRoot: '/host',
    dataFolder: '/data/kubelet/plugins/sim',
    times: { registration: 60_000, registrationAttempts: 5, shutdown: 150_000, discovery: 60_000, health: 1500, ghost: 3_600_000 },
    http: { address: '::1', port: 0 },
    log: { level: 'debug' },
  });
});

test('a moved kubelet takes the data folder with it', () => {
  expect(parse(`${HEAD}${DEVICES}kubeletRoot: /data/kubelet\n`).dataFolder).toBe('/data/kubelet/plugins/sim.cdk8s-dra.dev');
});

test('a witness alone offers no hardware', () => {
  expect(parse(`${HEAD}roles: [witness]\n`)).toMatchObject({ roles: ['witness'] });
  expect(parse(`${HEAD}roles: [witness]\n`)).not.toHaveProperty('devices');
});

// C-077
test.each([
  ['an unknown field', 'nodename: n1\n', '\'nodename\' is not a field here.'],
  ['a near miss', 'kubletRoot: /x\n', '\'kubletRoot\' is not a field here. Did you mean \'kubeletRoot\'?'],
  ['a relative folder', 'cdiRoot: run/cdi\n', '\'cdiRoot\' must be an absolute path without \'..\', got "run/cdi". Write it as it is on the host, from / on.'],
  ['a time without unit', 'times: { registration: 20 }\n', '\'times.registration\' must be a text, got 20.'],
  ['a time without sense', 'times: { registration: 20x }\n', '\'times.registration\' must be a time with its unit, got "20x". Write for example 30s or 1m30s, from 2s to 10m.'],
  ['a time out of bounds', 'times: { ghost: 1s }\n', '\'times.ghost\' must be a time between 10s and 24h, got "1s".'],
  ['a wrong role', 'roles: [diver]\n', '\'roles[0]\' must be one of "driver", "witness", got "diver". Did you mean \'driver\'?'],
  ['no role', 'roles: []\n', '\'roles\' must be at least 1 entries long, got [].'],
  ['a host name', 'http: { address: localhost }\n', '\'http.address\' must be an IP address, got "localhost". Write 0.0.0.0 for all addresses of the pod, or 127.0.0.1 for none but itself.'],
  ['a port beyond all ports', 'http: { port: 65536 }\n', '\'http.port\' must be at most 65535, got 65536.'],
  ['a wrong log level', 'log: { level: verbose }\n', '\'log.level\' must be one of "debug", "info", "warn", "error", got "verbose".'],
])('%s is refused with field, rule and way out', (_, lines, message) => {
  expect(() => parse(HEAD + DEVICES + lines)).toThrow(ConfigurationError);
  expect(() => parse(HEAD + DEVICES + lines)).toThrow(message);
});

test.each([
  ['no devices', HEAD, '\'devices\' must say which hardware the driver offers, but is missing.'],
  ['devices of a witness', `${HEAD}roles: [witness]\n${DEVICES}`, '\'devices\' must not be there, as the agent is no driver. Remove it, or add driver to roles.'],
  ['an unknown backend', `${HEAD}devices: { backend: gpus }\n`, '\'devices.backend\' must be one of gpu, fpga, nic, simulated, got "gpus". Did you mean \'gpu\'?'],
  ['a mistake within the devices', `${HEAD}devices: { backend: simulated, fleet: [{ name: a, cuont: 1 }] }\n`, '\'devices.fleet[0].cuont\' is not a field here. Did you mean \'count\'?'],
  ['a driver name in upper case', `${HEAD.replace('sim.cdk8s', 'Sim.cdk8s')}${DEVICES}`, '\'driverName\' must be a driver name: a DNS subdomain in lower case, got "Sim.cdk8s-dra.dev". Write sim.cdk8s-dra.dev.'],
  ['another kind', `${HEAD.replace('NodeAgentConfiguration', 'KubeletConfiguration')}${DEVICES}`, '\'kind\' must be "NodeAgentConfiguration", got "KubeletConfiguration".'],
  ['a newer version', `${HEAD.replace('v1alpha1', 'v9')}${DEVICES}`, '\'apiVersion\' must be "cdk8s-dra.dev/v1alpha1", got "cdk8s-dra.dev/v9".'],
  ['a list', '- a\n', 'The file must be an object, got ["a"].'],
  ['nothing', '# nothing\n', 'agent.yaml: is no YAML'],
])('%s is refused', (_, text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test('all that is wrong is said at once', () => {
  expect(() => parse(`${HEAD}kubeletRoot: x\ndevices: { backend: simulated, fleet: 3 }\n`)).toThrow(/^agent\.yaml: 2 settings are wrong:\n {2}'kubeletRoot' .*\n {2}'devices\.fleet' .*$/);
});

test.each([
  ['broken YAML', 'a: [1\n', /^agent\.yaml:\d+:\d+: is no YAML: /],
  ['a key twice', 'family: a\nfamily: b\n', /^agent\.yaml:2:\d+: is no YAML: .*duplicat/],
  ['an alias', 'a: &a [1]\nb: *a\n', /is no YAML: .*alias/],
  ['two documents', 'a: 1\n---\nb: 2\n', /is no YAML: /],
  ['too deep a nest', `a: ${'['.repeat(60)}${']'.repeat(60)}\n`, /is no YAML: /],
])('%s is refused with its place', (_, text, message) => {
  expect(() => parse(text)).toThrow(message);
});

test('a file that is too large, missing or a folder is named with what can be done', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  const large = join(folder, 'large.yaml');
  writeFileSync(large, 'x'.repeat(256 * 1024 + 1));
  mkdirSync(join(folder, 'folder'));
  try {
    expect(() => readConfiguration(large)).toThrow(`${large}: must have at most 256 KiB, got 257. Is it the right file?`);
    expect(() => readConfiguration(join(folder, 'none.yaml'))).toThrow(`${join(folder, 'none.yaml')}: cannot be read (ENOENT). Name an existing file with --config.`);
    expect(() => readConfiguration(join(folder, 'folder'))).toThrow('cannot be read (EISDIR)');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('whatever stands in a file, it is a configuration or a ConfigurationError', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.jsonValue().map((value) => HEAD + JSON.stringify({ devices: value }))), (text) => {
    try {
      parse(text);
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
    }
  }));
});

test('an unknown field anywhere in the head is never passed over', () => {
  const known = ['apiVersion', 'kind', 'driverName', 'family', 'roles', 'devices', 'kubeletRoot', 'cdiRoot', 'hostRoot', 'dataFolder', 'times', 'http', 'log'];
  fc.assert(fc.property(fc.string().filter((key) => !known.includes(key)), fc.jsonValue(), (key, value) => {
    const base = JSON.parse(JSON.stringify({ apiVersion: 'cdk8s-dra.dev/v1alpha1', kind: 'NodeAgentConfiguration', driverName: 'a.b', family: 'sim', roles: ['witness'] })) as object;
    const decoded = decodeConfiguration(Object.defineProperty(base, key, { value, enumerable: true }));
    expect('problems' in decoded).toBe(true);
  }));
});

test.each([
  ['30s', 30_000], ['1m30s', 90_000], ['500ms', 500], ['24h', 86_400_000], ['0s', 0], ['', undefined], ['30', undefined], ['s', undefined], ['-1s', undefined],
  ['1.5s', undefined], ['1s1m', undefined], [' 1s', undefined], ['1d', undefined],
])('%j is %s milliseconds', (text, expected) => {
  expect(milliseconds(text)).toBe(expected);
});
