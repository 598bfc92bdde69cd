import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestsOf } from './model/rules/check';
import { FAILURES } from '../src/model/failures';
import { runRules } from '../src/model/rules';
import { SNAPSHOT_RULE } from '../src/model/rules/snapshot-rule';
import { Target } from '../src/model/target';
import { ClusterView } from '../src/model/view';

const ROOT = join(__dirname, '..');
const EXAMPLES = join(ROOT, 'examples');
const CDK8S = join(ROOT, 'node_modules', 'cdk8s-cli', 'bin', 'cdk8s');

// Every test runs whole programs, on machines of any speed.
jest.setTimeout(300_000);

describe.each(programs())('%s', name => {
  test('renders its golden folder, byte for byte', () => {
    const rendered = new Map<string, string>(JSON.parse(runner(`[...renderGolden(${JSON.stringify(name)})]`)));
    expect(rendered.size).toBeGreaterThan(0);
    expect(rendered).toEqual(new Map<string, string>(JSON.parse(runner(`[...readGolden(${JSON.stringify(name)})]`))));
  });

  test('has no mistake for the Kubernetes version that it names', () => {
    const [, version] = /KubernetesTarget\.of\('([^']+)'\)/.exec(readFileSync(join(EXAMPLES, name, 'main.ts'), 'utf8')) ?? [];
    const golden = join(EXAMPLES, name, 'golden');
    const files = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.yaml'));
    const manifests = files.flatMap(file => manifestsOf(readFileSync(join(golden, file), 'utf8'), file));
    expect(manifests.length).toBeGreaterThan(0);
    expect(runRules(manifests, Target.of(version)).filter(({ severity }) => severity === 'error')).toEqual([]);
  });
});

test.each(programs())('%s can be applied in one go: each namespace comes before what lies in it', name => {
  const golden = join(EXAMPLES, name, 'golden');
  // As kubectl apply -R -f goes through a folder.
  const files = readdirSync(golden, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.yaml')).sort();
  const manifests = files.flatMap(file => manifestsOf(readFileSync(join(golden, file), 'utf8'), file).map(({ value }) => ({ file, value: value as any })));
  const defined = manifests.map(({ value }) => (value.kind === 'Namespace' ? value.metadata.name : ''));
  const early = manifests.filter(({ value: { metadata } }, index) => metadata.namespace !== undefined && defined.indexOf(metadata.namespace) > index);
  expect(early.map(({ file, value }) => `${file}: ${value.kind} ${value.metadata.name}`)).toEqual([]);
});

test('the examples have no type error', () => {
  const { status, stdout } = run([join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', join(EXAMPLES, 'tsconfig.json')]);
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

test('the fleet offers one template for each request of its summary', () => {
  const { requests } = JSON.parse(readFileSync(join(EXAMPLES, 'fleet', 'summary.json'), 'utf8'));
  const offers = ['batch', 'online'].flatMap(tier => manifestsOf(readFileSync(join(EXAMPLES, 'fleet', 'golden', '40-offers', `${tier}.yaml`), 'utf8')));
  expect(new Set(offers.map(({ value }) => JSON.stringify(value.metadata))).size).toBe(requests.length);
});

describe('plain-yaml', () => {
  const folder = join(EXAMPLES, 'plain-yaml');

  test('passes with the settings that it keeps, and would not without them', () => {
    expect(check(['manifests'], folder)).toMatchObject({ status: 0, findings: [] });
    expect(check([join(folder, 'manifests'), '--fail-on', 'warning'], ROOT)).toMatchObject({ status: 1, findings: [{ code: 'DRA150' }] });
  });

  test('cdk8s synth accepts its app', () => {
    withFolder(output => {
      const { status, stdout } = run([CDK8S, 'synth', '--check-upgrade=false', '--output', output], join(folder, 'validate'));
      expect(stdout).toContain('success');
      expect(status).toBe(0);
      expect(existsSync(join(output, 'vision.k8s.yaml'))).toBe(true);
    });
  });

  test('cdk8s synth refuses an app with a claim that no scheduler serves', () => {
    withFolder(app => {
      const config = readFileSync(join(folder, 'validate', 'cdk8s.yaml'), 'utf8');
      writeFileSync(join(app, 'cdk8s.yaml'), config.replaceAll('./../../../', './../../'));
      writeFileSync(join(app, 'main.ts'), BAD_APP);
      const { status, stdout } = run([CDK8S, 'synth', '--check-upgrade=false'], app);
      expect(stdout).toMatch(/DRA122[^]*vision\/claim[^]*spec\.devices\.requests\[0\]\.exactly\.count/);
      expect(status).toBe(2);
    });
  });
});

describe('invalid', () => {
  const folder = join(EXAMPLES, 'invalid');
  const files = readdirSync(folder).sort();
  /** Found by the reader of files, before there is an object. */
  const readerCodes = ['DRA100', 'DRA101', 'DRA102'];
  /** Not a mistake of manifests. */
  const engineCodes = ['DRA108'];
  /** Moves need two commits and are in invalid-moves, DRA43x a cluster and are in invalid-snapshots. */
  const isOfManifests = (code: string) => code < 'DRA200' || (code >= 'DRA410' && code < 'DRA430');

  test('has a file for every code that manifests can have, named as the catalogue names it', () => {
    const expected = FAILURES.filter(({ code, previous }) => previous === undefined && isOfManifests(code) && !engineCodes.includes(code)).map(({ code, name }) => `${code}-${name}.yaml`);
    expect(files).toEqual(expected);
  });

  test.each(files)('%s says in its first line what is wrong', file => {
    expect(textOf(file)).toMatch(/^\uFEFF?# \S.{20,}[.]\n/);
  });

  test.each(files.filter(file => readerCodes.includes(codeOf(file))))('%s has its code and no other', file => {
    const { findings } = check([join('examples', 'invalid', file)], ROOT);
    expect([...new Set(findings.map(({ code }) => code))]).toEqual([codeOf(file)]);
  });

  test.each(files.filter(file => !readerCodes.includes(codeOf(file))))('%s has its code and no other', file => {
    const text = textOf(file);
    const [, version = '1.34', gates] = /^# Check with --kubernetes ([\d.]+?)(?: --feature-gates (\S+?))?\.$/m.exec(text) ?? [];
    const findings = runRules(manifestsOf(text, file), Target.parse(version, gates));
    expect([...new Set(findings.map(({ code }) => code))]).toEqual([codeOf(file)]);
  });

  test('the whole folder has a finding for each file', () => {
    const { status, findings } = check([join('examples', 'invalid')], ROOT);
    expect(status).toBe(1);
    const found = new Set(findings.map(({ file }) => file));
    expect(files.filter(file => !found.has(join('examples', 'invalid', file)))).toEqual([]);
  });

  function textOf(file: string): string {
    const bytes = readFileSync(join(folder, file));
    return bytes.toString(bytes[0] === 0xff ? 'utf16le' : 'utf8');
  }
});

describe('invalid-moves', () => {
  const read = (commit: string) => {
    const folder = join(EXAMPLES, 'invalid-moves', commit);
    return readdirSync(folder).sort().flatMap(file => manifestsOf(readFileSync(join(folder, file), 'utf8'), file));
  };

  test('has a move for every code about two commits, each with its code and no other', () => {
    const findings = runRules(read('after'), Target.of('1.34'), { previous: read('before') });
    const moves = FAILURES.filter(({ previous }) => previous !== undefined).map(({ code, name }) => `${code} in ${code}-${name}.yaml`);
    expect(findings.map(({ code, manifest }) => `${code} in ${manifest?.source.name}`).sort()).toEqual(moves);
  });

  test('says nothing about commits that are the same', () => {
    expect(runRules(read('before'), Target.of('1.34'), { previous: read('before') })).toEqual([]);
  });
});

describe('invalid-snapshots', () => {
  const folder = join(EXAMPLES, 'invalid-snapshots');
  const files = readdirSync(join(folder, 'plan')).sort();
  const read = (part: string, names = files) => names.flatMap(file => manifestsOf(readFileSync(join(folder, part, file), 'utf8'), file));
  const found = (names: string[]) => runRules(read('plan', names), Target.of('1.34'), { snapshot: ClusterView.of(read('cluster', names)) });

  test('has a plan and a cluster for every code about a cluster, named as the catalogue names it', () => {
    const expected = FAILURES.filter(({ code }) => SNAPSHOT_RULE.codes.includes(code)).map(({ code, name }) => `${code}-${name}.yaml`);
    expect(files).toEqual(expected);
    expect(readdirSync(join(folder, 'cluster')).sort()).toEqual(expected);
  });

  test.each(files)('%s has its code and no other, and none without the cluster', file => {
    expect(found([file]).map(({ code }) => code)).toEqual([codeOf(file)]);
    expect(runRules(read('plan', [file]), Target.of('1.34'))).toEqual([]);
  });

  test.each(files)('%s says in its first line what is wrong', file => {
    for (const part of ['plan', 'cluster']) expect(readFileSync(join(folder, part, file), 'utf8')).toMatch(/^# \S.{10,}[.]\n/);
  });

  test('the command line finds the same, in the file of the plan', () => {
    const { status, findings } = check([join(folder, 'plan'), '--snapshot', join(folder, 'cluster'), '--fail-on', 'warning'], ROOT);
    expect(status).toBe(1);
    expect(findings.map(({ code, file }) => `${code} in ${file.slice(file.lastIndexOf('/') + 1)}`)).toEqual(files.map(file => `${codeOf(file)} in ${file}`));
  });
});

const BAD_APP = `
import { ApiObject, App, Chart } from 'cdk8s';
const app = new App();
new ApiObject(new Chart(app, 'vision'), 'claim', {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name: 'gpus' },
  spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName: 'gpu.nvidia.com', allocationMode: 'ExactCount', count: 40 } }] } },
});
app.synth();
`;

function codeOf(file: string): string {
  return file.slice(0, 'DRA000'.length);
}

/** Names of the examples that are programs. */
function programs(): string[] {
  return JSON.parse(runner('examplePrograms()'));
}

/** The value of an expression over tools/examples/run.mjs as JSON; it is an ES module, which Jest does not load here. */
function runner(expression: string): string {
  const script = `import { examplePrograms, readGolden, renderGolden } from './tools/examples/run.mjs'; process.stdout.write(JSON.stringify(${expression}));`;
  const { status, stdout, stderr } = run(['--input-type=module', '--eval', script]);
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

/** What `kubectl-dra check` finds. */
function check(args: string[], cwd: string): { status: number | null; findings: { code: string; file: string }[] } {
  const { status, stdout, stderr } = run([join(ROOT, 'driver', 'bin', 'kubectl-dra.js'), 'check', '-o', 'json', ...args], cwd);
  if (status === null || status > 1) return { status, findings: [] };
  if (stdout === '') throw new Error(stderr);
  return { status, findings: JSON.parse(stdout).findings };
}

function run(args: string[], cwd = ROOT): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

/** A folder inside the repository, so that programs in it find its packages. */
function withFolder(use: (folder: string) => void): void {
  const build = join(ROOT, 'build');
  mkdirSync(build, { recursive: true });
  const folder = mkdtempSync(join(build, 'example-'));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
