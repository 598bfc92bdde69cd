import * as fc from 'fast-check';

import { defaultDataFolder, isServiceSocket, mayBeRegistrationOf, MAX_SOCKET_PATH, socketPaths } from '../../../src/node/kubelet/socket-paths.js';

const ROOT = '/var/lib/kubelet';
const UID = '3f2b6c1e-8a57-4d7e-9a52-0d8f1c2b3a4d';

function paths(driverName: string, podUid?: string, kubeletRoot = ROOT) {
  return socketPaths({ kubeletRoot, dataFolder: defaultDataFolder(kubeletRoot, driverName), driverName, podUid });
}

test('one agent has the names that everybody knows', () => {
  expect(paths('gpu.cdk8s-dra.dev')).toEqual({
    registration: '/var/lib/kubelet/plugins_registry/gpu.cdk8s-dra.dev-reg.sock',
    service: '/var/lib/kubelet/plugins/gpu.cdk8s-dra.dev/dra.sock',
  });
});

test('an agent with the UID of its pod carries it in both names', () => {
  expect(paths('gpu.example.com', UID)).toEqual({
    registration: `/var/lib/kubelet/plugins_registry/gpu.example.com-${UID}-reg.sock`,
    service: `/var/lib/kubelet/plugins/gpu.example.com/dra-${UID}.sock`,
  });
});

test('names are shortened where they do not fit, and stay what they are from version to version', () => {
  const middle = 'accelerators.hardware.example.com';
  const longest = `${'a'.repeat(51)}.example.com`;

  expect(longest).toHaveLength(63);
  expect(paths(middle, UID)).toEqual({
    registration: '/var/lib/kubelet/plugins_registry/accelerators.hardware.example.com-jJqrALAb1vY-reg.sock',
    service: `/var/lib/kubelet/plugins/accelerators.hardware.example.com/dra-${UID}.sock`,
  });
  expect(paths(longest, UID)).toEqual({
    registration: '/var/lib/kubelet/plugins_registry/dra-sELDXW3ui61u2Nzc6H2qjA-reg.sock',
    service: `/var/lib/kubelet/plugins/${longest}/jJqrALAb1vY.sock`,
  });
});

// C-151
test('every driver name has paths below the usual root, with and without a UID, that no other driver or pod has', () => {
  const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,28}[a-z0-9])?$/);
  const driver = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join('.')).filter((name) => name.length <= 63);
  const uid = fc.option(fc.uuid(), { nil: undefined });
  fc.assert(fc.property(driver, driver, uid, uid, (one, other, oneUid, otherUid) => {
    const [a, b] = [paths(one, oneUid), paths(other, otherUid)];
    for (const path of [a.registration, a.service]) expect(Buffer.byteLength(path)).toBeLessThanOrEqual(MAX_SOCKET_PATH);
    if (one === other && oneUid === otherUid) expect(a).toEqual(b);
    else expect(new Set([a.registration, a.service, b.registration, b.service]).size).toBe(4);
  }));
});

test('a root that leaves no room is refused with the path, the rule and the way out', () => {
  const root = `/srv/${'deep/'.repeat(20)}kubelet`;

  expect(() => paths('gpu.example.com', UID, root)).toThrow(/^The path of a unix socket must have at most 107 bytes, got \d+ at the shortest: \/srv\/.*-reg\.sock\. Choose a shorter kubeletRoot or driverName\.$/);
});

test('each name of an own registration socket is known as one, each form of a service socket too', () => {
  const uid = fc.option(fc.uuid(), { nil: undefined });
  const driver = fc.constantFrom('gpu.example.com', 'accelerators.hardware.example.com', `${'a'.repeat(51)}.example.com`);
  fc.assert(fc.property(driver, uid, (driverName, podUid) => {
    const { registration, service } = paths(driverName, podUid);
    const name = (path: string) => path.split('/').at(-1) ?? '';
    const owner = { kubeletRoot: ROOT, dataFolder: '', driverName, podUid };
    expect(isServiceSocket(name(service))).toBe(true);
    expect(mayBeRegistrationOf(owner, name(registration), [name(service)])).toBe(true);
  }));
});

test.each([
  'other.example.com-reg.sock',
  `other.example.com-${UID}-reg.sock`,
  'gpu.example.com.other-reg.sock',
  'gpu.example.com-beside-us-reg.sock',
  'dra-sELDXW3ui61u2Nzc6H2qjA-reg.sock',
  'reg.sock',
])('%s is not taken for a registration socket of gpu.example.com', (name) => {
  expect(mayBeRegistrationOf({ kubeletRoot: ROOT, dataFolder: '', driverName: 'gpu.example.com' }, name, ['dra.sock', `dra-${UID}.sock`])).toBe(false);
});
