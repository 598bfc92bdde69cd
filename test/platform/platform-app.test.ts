import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ApiObject, Chart, JsonPatch, Yaml } from 'cdk8s';
import { Construct } from 'constructs';
import {
  AgentDevices, DeviceClass, DevicePlatform, DeviceRequest, DriverProfile, KubernetesTarget, MigrationPhase, NodeSelection, PlatformApp, PodDevices,
  ResourceClaimTemplate,
  type PlatformAppProps,
} from '../../src';

const outdir = () => join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'dist');
const appIn = (folder: string, props: PlatformAppProps = {}) => new PlatformApp({ outdir: folder, ...props });
const configMap = (scope: Construct, name: string, data: object = {}) =>
  new ApiObject(scope, name, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data } as any);

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .filter(name => !name.startsWith('.'))
    .sort();
}

describe('files', () => {
  test('each chart has a file, nested charts are folders, and constructs between them leave no trace', () => {
    const folder = outdir();
    const app = appIn(folder);
    const pools = new Chart(app, '30-pools');
    configMap(pools, 'shared');
    configMap(new Chart(pools, 'a100', { namespace: 'a' }), 'x');
    configMap(new Chart(new Construct(app, 'between'), '20-classes', { namespace: 'a' }), 'y');
    new Chart(app, '99-empty');

    app.synth();

    expect(files(folder)).toEqual(['20-classes.yaml', '30-pools.yaml', '30-pools/a100.yaml']);
  });

  // C-065: names are never cut, so two long names stay two objects and equal ones are refused.
  test('objects of one kind and name in several namespaces all come out', () => {
    const folder = outdir();
    const app = appIn(folder);
    for (const namespace of ['a', 'b', 'c']) configMap(new Chart(app, namespace, { namespace }), 'default');

    app.synth();

    expect(files(folder)).toEqual(['a.yaml', 'b.yaml', 'c.yaml']);
    expect(files(folder).map(name => Yaml.load(join(folder, name))[0].metadata.namespace)).toEqual(['a', 'b', 'c']);
  });

  test('a second run removes what is no longer made, and touches neither foreign nor unchanged files', () => {
    const folder = outdir();
    const build = (...pools: string[]) => {
      const app = appIn(folder);
      for (const pool of pools) configMap(new Chart(new Chart(app, '30-pools'.concat(pool)), pool, { namespace: 'a' }), pool);
      app.synth();
    };
    build('x', 'y');
    writeFileSync(join(folder, 'README.md'), 'mine');
    const before = statSync(join(folder, '30-poolsx/x.yaml')).mtimeMs;

    build('x');

    expect(files(folder)).toEqual(['30-poolsx/x.yaml', 'README.md']);
    expect(existsSync(join(folder, '30-poolsy'))).toBe(false);
    expect(statSync(join(folder, '30-poolsx/x.yaml')).mtimeMs).toBe(before);
  });

  test('an index that was tampered with cannot remove files outside of the folder', () => {
    const folder = outdir();
    mkdirSync(folder, { recursive: true });
    const outside = join(folder, '..', 'precious');
    writeFileSync(outside, 'keep');
    writeFileSync(join(folder, '.cdk8s-dra-files'), '../precious\n/etc/passwd\na/../../precious\n');

    appIn(folder).synth();

    expect(readFileSync(outside, 'utf8')).toBe('keep');
  });

  test('adding a pool changes the file of that pool only', () => {
    const folder = outdir();
    const build = (...teams: string[]) => {
      const app = appIn(folder);
      const platform = new DevicePlatform(app, 'platform');
      platform.addClass('gpu', { driver: DriverProfile.exampleGpu() });
      for (const team of teams) configMap(platform.teamChart(team), 'settings');
      app.synth();
      return new Map(files(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]));
    };

    const [before, after] = [build('blue'), build('blue', 'red')];

    expect([...after.keys()].filter(name => before.get(name) !== after.get(name))).toEqual(['50-teams/red.yaml']);
  });

  test('each node agent has a file, and the CRD of their reports comes once and before', () => {
    const folder = outdir();
    const app = appIn(folder);
    const platform = new DevicePlatform(app, 'platform');
    const driver = DriverProfile.nvidiaGpu();
    for (const pool of ['a100', 'h100']) platform.addNodeAgent(`witness-${pool}`, { driver, image: 'registry.example.com/agent:1', pool });

    app.synth();

    expect(files(folder)).toEqual(['00-crds.yaml', '25-drivers/witness-a100.yaml', '25-drivers/witness-h100.yaml']);
    expect(Yaml.load(join(folder, '00-crds.yaml')).map(({ metadata }: any) => metadata.name)).toEqual(['devicenodereports.cdk8s-dra.dev']);
  });

  test('agents that report nothing need no CRD', () => {
    const folder = outdir();
    const app = appIn(folder);
    const driver = DriverProfile.custom({ driverName: 'sim.cdk8s-dra.dev', family: 'sim' });
    new DevicePlatform(app, 'platform').addNodeAgent('agent', {
      driver, image: 'registry.example.com/agent:1', witness: false, devices: AgentDevices.simulated({ fleet: [{ name: 'sim-{index}' }] }),
    });

    app.synth();

    expect(files(folder)).toEqual(['25-drivers/agent.yaml']);
  });

  // C-068: apply order is the order of names, with the objects of a chart in tree order and dependencies first.
  test('dependencies inside a chart order its objects', () => {
    const folder = outdir();
    const app = appIn(folder);
    const scope = new Chart(app, 'chart', { namespace: 'a' });
    const group = new Construct(scope, 'group');
    const [first, second, third] = [configMap(group, 'first'), configMap(scope, 'second'), configMap(scope, 'third')];
    group.node.addDependency(third);
    third.addDependency(second);

    app.synth();

    expect(Yaml.load(join(folder, 'chart.yaml')).map((json: any) => json.metadata.name)).toEqual([second, third, first].map(object => object.name));
  });

  test('construct metadata is written where cdk8s asks for it', () => {
    const folder = outdir();
    const app = appIn(folder, { recordConstructMetadata: true });
    configMap(new Chart(app, 'chart'), 'settings');

    app.synth();

    expect(JSON.parse(readFileSync(join(folder, 'construct-metadata.json'), 'utf8'))).toEqual({ version: '1.0.0', resources: { settings: { path: 'chart/settings' } } });
  });

  test('a pool brings CRDs and policies once, whatever else needs the CRD of reports', () => {
    const pool = {
      driver: DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' }),
      deviceClasses: [DeviceClass.fromDeviceClassName('fpga')],
      phase: MigrationPhase.OBSERVE,
    };
    const agent = { driver: DriverProfile.custom({ driverName: 'nic.example.com', family: 'nic' }), image: 'agent:1' };
    const rendered = (...steps: ('agent' | 'a' | 'b')[]) => {
      const folder = outdir();
      const app = appIn(folder);
      const platform = new DevicePlatform(app, 'platform', { driverNamespace: 'drivers' });
      new DeviceClass(new Chart(app, '20-others'), 'fpga', {});
      for (const step of steps) {
        if (step === 'agent') platform.addNodeAgent('agent', agent);
        else platform.addPool(step, { ...pool, nodes: NodeSelection.labels({ pool: step }) });
      }
      app.synth();
      return new Map(files(folder).map(name => [name, Yaml.load(join(folder, name)).filter(Boolean)]));
    };

    const pools = rendered('a', 'b');
    expect([...pools.keys()]).toEqual(['00-crds.yaml', '10-policies.yaml', '20-others.yaml', '30-pools/a.yaml', '30-pools/b.yaml']);
    const crds = pools.get('00-crds.yaml')!.map(({ metadata }) => metadata.name);
    expect(crds).toContain('devicemigrations.cdk8s-dra.dev');
    for (const steps of [['agent', 'a'], ['a', 'agent']] as const) {
      expect(rendered(...steps).get('00-crds.yaml')!.map(({ metadata }) => metadata.name).sort()).toEqual([...crds].sort());
    }
    const door = pools.get('10-policies.yaml')!.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === 'cdk8s-dra-door');
    expect(JSON.stringify(door.spec)).toContain('drivers');
  });
});

describe('values', () => {
  // C-070: strings that look like numbers or booleans stay strings for every YAML parser.
  test.each(['yes', 'no', 'on', 'off', 'y', 'n', 'null', '~', 'true', '1e3', '012', '0x10', '1_000', '1:30', '.5', '+1', '', ' a ', '2026-11-30', '=', '<<', 'a: b', '# x', 'ünïcode ☃'])(
    'the label-like string %p survives the YAML', value => {
      const folder = outdir();
      const app = appIn(folder);
      configMap(new Chart(app, 'chart'), 'settings', { value, [`key-${value.length}`]: value });

      app.synth();

      expect(Yaml.load(join(folder, 'chart.yaml'))[0].data.value).toBe(value);
    });

  // C-071: a null that a patch sets is a decision of the user.
  test('a patch that sets null writes null', () => {
    const folder = outdir();
    const app = appIn(folder);
    configMap(new Chart(app, 'chart'), 'settings').addJsonPatch(JsonPatch.add('/data', { gone: null }));

    app.synth();

    expect(readFileSync(join(folder, 'chart.yaml'), 'utf8')).toContain('gone: null');
  });

  // C-074: nothing is renamed, recased or dropped on the way, metadata of list items included.
  test('an object of any kind comes out as it was written', () => {
    const folder = outdir();
    const app = appIn(folder);
    const crd = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'widgets.example.com' },
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', plural: 'widgets' },
        scope: 'Namespaced',
        versions: [{
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
          schema: { openAPIV3Schema: { 'type': 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        }],
      },
    };
    const list = { apiVersion: 'example.com/v1', kind: 'WidgetList', metadata: { name: 'list' }, items: [{ kind: 'Widget', metadata: { name: 'a', annotations: { 'x/y': 'z' } } }] };
    const scope = new Chart(app, 'chart');
    new ApiObject(scope, 'crd', crd as any);
    new ApiObject(scope, 'list', list as any);

    app.synth();

    expect(Yaml.load(join(folder, 'chart.yaml'))).toEqual([crd, list]);
  });

  test('a long selector with quotes and line breaks survives the YAML', () => {
    const folder = outdir();
    const app = appIn(folder);
    const gpu = DriverProfile.custom({ driverName: 'gpu.example.org', family: 'gpu' });
    const selector = gpu.stringAttribute('model').oneOf('a "quoted": \\ name', `#${'x'.repeat(40)}`, 'line\nbreak', '- item');
    new DeviceClass(new Chart(app, 'chart'), 'gpu', { driver: gpu, selectors: [selector] });

    app.synth();

    expect(Yaml.load(join(folder, 'chart.yaml'))[0].spec.selectors[1].cel.expression).toBe(selector.expression);
  });
});

describe('a synthesis that is refused', () => {
  const refusal = (prepare: (app: PlatformApp) => void, props: PlatformAppProps = {}) => {
    const folder = outdir();
    const app = appIn(folder, props);
    prepare(app);
    let message = '';
    try {
      app.synth();
    } catch (error) {
      message = (error as Error).message;
    }
    return { message, wrote: existsSync(folder) };
  };

  test('writes nothing and tells every mistake with its place', () => {
    const { message, wrote } = refusal(app => {
      const scope = new Chart(app, 'chart', { namespace: 'team' });
      configMap(scope, 'same');
      configMap(new Chart(app, 'other', { namespace: 'team' }), 'same');
      const job = new ApiObject(scope, 'job', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'job' }, spec: { template: { spec: { containers: [{ name: 'a', image: 'i' }] } } } } as any);
      PodDevices.of(job).addClaim('gpus', ResourceClaimTemplate.fromResourceClaimTemplateName('x'), { containers: ['b'] });
    });

    expect(wrote).toBe(false);
    expect(message).toMatch(/^Nothing was written: \d+ mistakes for Kubernetes 1\.34\.\n/);
    expect(message).toMatch(/\[chart\/job\] Claim 'gpus' must be used by a container of the pod, got "b"/);
    expect(message).toMatch(/\[other\/same\].*"same"|\[other\/same\].*same/);
  });

  test.each<[string, (app: PlatformApp) => void, RegExp]>([
    ['a dependency on another chart', app => {
      const target = new Chart(app, 'target');
      new Chart(app, 'source').node.addDependency(target);
    }, /\[source\] A dependency must stay inside one chart, got one on "target"/],
    ['objects that depend on each other in a circle', app => {
      const scope = new Chart(app, 'chart', { namespace: 'a' });
      const [a, b] = [configMap(scope, 'a'), configMap(scope, 'b')];
      a.addDependency(b);
      b.addDependency(a);
    }, /must not depend on each other in a circle/],
    ['two charts with one file', app => {
      configMap(new Chart(new Construct(app, 'one'), 'chart', { namespace: 'a' }), 'a');
      configMap(new Chart(new Construct(app, 'two'), 'Chart', { namespace: 'a' }), 'b');
    }, /Each chart must have a file of its own, got "Chart\.yaml" for this chart and for "one\/chart"/],
    ['an id that is no file name', app => configMap(new Chart(app, 'a b', { namespace: 'a' }), 'a'), /id of a chart names its file.*got "a b"/],
    ['what a construct validates', app => new Chart(app, 'chart').node.addValidation({ validate: () => ['not today'] }), /\[chart\] not today/],
    ['a field that the target drops, put in by a patch', app => {
      const scope = new Chart(app, 'chart');
      ApiObject.of(new DeviceClass(scope, 'gpu')).addJsonPatch(JsonPatch.add('/spec', { extendedResourceName: 'example.com/gpu' }));
    }, /extendedResourceName.*DRAExtendedResource/],
  ])('%s', (_name, prepare, message) => {
    expect(refusal(prepare)).toEqual({ message: expect.stringMatching(message), wrote: false });
  });

  test('warnings do not stop it unless asked to, and a finding can be accepted', () => {
    const warned = (app: PlatformApp) => void new ResourceClaimTemplate(new Chart(app, 'chart', { namespace: 'a' }), 'elsewhere', {
      requests: [DeviceRequest.exactly('gpu', { deviceClass: DeviceClass.fromDeviceClassName('not-here'), adminAccess: true })],
    });

    const strict = refusal(warned, { failOnWarnings: true });
    expect(strict.message).toMatch(/\[chart\/elsewhere\]/);
    const codes = [...strict.message.matchAll(/\((DRA\d+)\)/g)].map(match => match[1]);
    expect(refusal(warned, { failOnWarnings: true, ignoreFindings: codes })).toEqual({ message: '', wrote: true });
  });
});

describe('the target', () => {
  test('is 1.34 unless the app names another', () => {
    expect(new PlatformApp().kubernetes.version).toBe('1.34');
    const app = new PlatformApp({ kubernetes: KubernetesTarget.of('v1.36.3-vendor.7') });
    expect(KubernetesTarget.find(new Chart(app, 'chart')).version).toBe('1.36');
  });

  test('knows which gates are on', () => {
    expect(KubernetesTarget.of('1.36').isEnabled('DRADeviceTaints')).toBe(true);
    expect(KubernetesTarget.of('1.35').isEnabled('DRADeviceTaints')).toBe(false);
  });
});

test('700 charts are not slower per object than 70', () => {
  const count = (charts: number) => {
    const folder = outdir();
    const app = appIn(folder);
    let renders = 0;
    for (let i = 0; i < charts; i++) {
      const object = configMap(new Chart(app, `chart-${i}`, { namespace: 'a' }), `settings-${i}`);
      const toJson = object.toJson.bind(object);
      object.toJson = () => {
        renders++;
        return toJson();
      };
    }
    app.synth();
    return renders;
  };

  expect([count(70), count(700)]).toEqual([70, 700]);
});
