import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { HostReader } from '../../../src/devices/host/host-reader.js';
import { HostRoot } from '../../../src/devices/host/host-root.js';
import type { InventoryProblem } from '../../../src/devices/inventory.js';

let outside: string;
let root: HostRoot;

beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
  const folder = join(outside, 'host');
  mkdirSync(join(folder, 'sys/devices/pci0000:00/0000:00:01.0'), { recursive: true });
  mkdirSync(join(folder, 'sys/bus/pci/devices'), { recursive: true });
  mkdirSync(join(folder, 'run/cdi'), { recursive: true });
  mkdirSync(join(folder, 'var'));
  writeFileSync(join(outside, 'secret'), 'of the machine\n');
  writeFileSync(join(folder, 'sys/devices/pci0000:00/0000:00:01.0/vendor'), '0x10de\n');
  writeFileSync(join(folder, 'run/cdi/gpu.json'), '{}\n');
  writeFileSync(join(folder, 'empty'), '\n');
  writeFileSync(join(folder, 'large'), 'x'.repeat(70_000));
  writeFileSync(join(folder, 'binary'), Buffer.from([0xff, 0xfe, 0x41]));
  const links = {
    'sys/bus/pci/devices/0000:00:01.0': '../../../devices/pci0000:00/0000:00:01.0',
    // As on most distributions, and right only seen from inside.
    'var/run': '/run',
    'up': '../secret',
    'far-up': '../../../../../../../../etc/hostname',
    'absolute': join(outside, 'secret'),
    'circle': 'circle',
    'broken': 'nothing',
  };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(folder, path));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  root = new HostRoot(folder);
});

afterAll(() => rmSync(outside, { recursive: true }));

async function read(path: string): Promise<string> {
  return (await root.read(path)).toString();
}

test('links of sysfs and absolute links lead where they would on the host', async () => {
  expect(await read('/sys/bus/pci/devices/0000:00:01.0/vendor')).toBe('0x10de\n');
  expect(await root.target('/sys/bus/pci/devices/0000:00:01.0')).toBe('/sys/devices/pci0000:00/0000:00:01.0');
  expect(await root.list('/var/run/cdi')).toEqual(['gpu.json']);
});

test.each(['/up', '/far-up', '/absolute', '/../secret', '/sys/../../secret'])('%s does not lead out of the root', async (path) => {
  await expect(read(path)).rejects.toMatchObject({ name: 'HostFileError', reason: 'absent' });
});

test.each([
  ['/circle', 'outside', '/circle leads in a circle'],
  ['/broken', 'absent', '/broken is not there'],
  ['/nothing', 'absent', '/nothing is not there'],
  ['/empty/file', 'absent', '/empty/file is not there'],
  ['/large', 'too-large', '/large has more than 65536 bytes'],
  ['/run', 'wrong-kind', '/run is no plain file'],
  ['/pipe', 'wrong-kind', '/pipe is no plain file'],
])('%s is %s', async (path, reason, message) => {
  await expect(read(path)).rejects.toMatchObject({ reason, message });
});

test('a write makes no file and follows no link out of the root', async () => {
  await expect(root.write('/new', '1', 1000)).rejects.toMatchObject({ reason: 'absent' });
  await expect(root.write('/absolute', '1', 1000)).rejects.toMatchObject({ reason: 'absent' });
  await expect(root.write('/pipe', '1', 1000)).rejects.toMatchObject({ reason: 'absent' });
});

test('a plain file is no device node', async () => {
  expect(await root.deviceNode('/empty')).toBeUndefined();
  expect(await root.deviceNode('/nothing')).toBeUndefined();
});

test('what the kernel does not answer ends with an error, and is not asked again before it answered', async () => {
  let answer: () => void = () => undefined;
  class Hanging extends HostRoot {
    public asked = 0;
    public override async resolve(path: string): Promise<string> {
      this.asked++;
      await new Promise<void>((resolve) => { answer = resolve; });
      return super.resolve(path);
    }
  }
  const hanging = new Hanging(join(outside, 'host'));

  await expect(hanging.write('/empty', '', 20)).rejects.toMatchObject({ reason: 'hangs', message: '/empty does not answer within 0.02 s' });
  await expect(hanging.write('/empty', '', 20)).rejects.toMatchObject({ reason: 'hangs', message: '/empty has not answered yet' });
  expect(hanging.asked).toBe(1);
  // The answer takes its time; until it is there the path stays closed.
  for (;;) {
    answer();
    try {
      const again = hanging.write('/empty', '\n', 60_000);
      answer();
      return await again;
    } catch (error) {
      expect(error).toMatchObject({ message: '/empty has not answered yet' });
      await new Promise((resolve) => { setTimeout(resolve, 5); });
    }
  }
});

test('a lenient reader leaves out what is missing or empty and reports what cannot be used, once', async () => {
  const problems: InventoryProblem[] = [];
  const reader = new HostReader(root, (problem) => problems.push(problem));

  expect(await reader.text('/nothing')).toBeUndefined();
  // C-101: an empty attribute is none.
  expect(await reader.text('/empty')).toBeUndefined();
  expect(problems).toEqual([]);
  for (const path of ['/binary', '/large', '/circle', '/run', '/binary']) expect(await reader.text(path)).toBeUndefined();
  expect(await reader.integer('/run/cdi/gpu.json')).toBeUndefined();
  expect(await reader.list('/nothing')).toEqual([]);
  expect(problems.map(({ message }) => message)).toEqual([
    '/binary is no UTF-8 text; what it says is left out.',
    '/large has more than 65536 bytes; what it says is left out.',
    '/circle leads in a circle; what it says is left out.',
    '/run is no plain file; what it says is left out.',
    '/run/cdi/gpu.json holds no whole number; what it says is left out.',
  ]);
});
