import { writeFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, Helm, Include, JsonPatch, Testing, Yaml } from 'cdk8s';
import * as plus28 from 'cdk8s-plus-28';
import * as plus33 from 'cdk8s-plus-33';
import * as plus34 from 'cdk8s-plus-34';
import type { IConstruct } from 'constructs';
import { ClaimReference, DeviceClass, DeviceRequest, PodDevices, ResourceClaim, ResourceClaimTemplate, type IClaimSource } from '../../src';

const large = DeviceClass.fromDeviceClassName('gpu-large');
const template = ResourceClaimTemplate.fromResourceClaimTemplateName('trainer');
const shared = ResourceClaim.fromResourceClaimName('shared-gpu');

function chart(): Chart {
  return new Chart(new App(), 'chart', { namespace: 'team' });
}

function apiObject(scope: Chart, kind: string, apiVersion: string, spec: object, annotations?: { [key: string]: string }): ApiObject {
  return new ApiObject(scope, kind.toLowerCase(), { apiVersion, kind, metadata: { name: 'w', annotations }, spec } as any);
}

const POD = { containers: [{ name: 'main', image: 'i' }, { name: 'side', image: 'i' }], initContainers: [{ name: 'setup', image: 'i' }] };

const job = (scope: Chart) => apiObject(scope, 'Job', 'batch/v1', { template: { spec: POD } });

describe('every generation of workloads keeps the claim through its serializer', () => {
  const containers = [{ name: 'main', image: 'i' }];

  test.each<[string, (scope: Chart) => IConstruct, (json: any) => any]>([
    ['cdk8s-plus-28 Job', scope => new plus28.Job(scope, 'w', { containers }), json => json.spec.template.spec],
    ['cdk8s-plus-28 Deployment', scope => new plus28.Deployment(scope, 'w', { containers }), json => json.spec.template.spec],
    ['cdk8s-plus-28 CronJob', scope => new plus28.CronJob(scope, 'w', { schedule: { expressionString: '* * * * *' } as any, containers }), json => json.spec.jobTemplate.spec.template.spec],
    ['cdk8s-plus-28 Pod', scope => new plus28.Pod(scope, 'w', { containers }), json => json.spec],
    ['cdk8s-plus-33 StatefulSet', scope => new plus33.StatefulSet(scope, 'w', { containers, service: new plus33.Service(scope, 's', { ports: [{ port: 1 }] }) }), json => json.spec.template.spec],
    ['cdk8s-plus-33 DaemonSet', scope => new plus33.DaemonSet(scope, 'w', { containers }), json => json.spec.template.spec],
    ['cdk8s-plus-34 Job', scope => new plus34.Job(scope, 'w', { containers }), json => json.spec.template.spec],
    ['cdk8s-plus-34 generated Deployment', scope => new plus34.k8s.KubeDeployment(scope, 'w', {
      spec: { selector: {}, template: { spec: { containers } } },
    }), json => json.spec.template.spec],
    ['cdk8s-plus-28 generated Job', scope => new plus28.k8s.KubeJob(scope, 'w', { spec: { template: { spec: { containers } } } }), json => json.spec.template.spec],
    ['raw PodTemplate', scope => new ApiObject(scope, 'w', { apiVersion: 'v1', kind: 'PodTemplate', template: { spec: { containers } } } as any), json => json.template.spec],
    ['raw ReplicationController', scope => apiObject(scope, 'ReplicationController', 'v1', { template: { spec: { containers } } }), json => json.spec.template.spec],
    ['raw ReplicaSet', scope => apiObject(scope, 'ReplicaSet', 'apps/v1', { template: { spec: { containers } } }), json => json.spec.template.spec],
  ])('%s', (_name, build, podOf) => {
    const scope = chart();
    const workload = build(scope);

    PodDevices.of(workload).addClaim('gpus', template, { containers: ['main'], request: 'gpu' });

    const rendered = Testing.synth(scope).filter(json => json.kind !== 'Service');
    expect(podOf(rendered[0]).resourceClaims).toEqual([{ name: 'gpus', resourceClaimTemplateName: 'trainer' }]);
    expect(podOf(rendered[0]).containers[0].resources.claims).toEqual([{ name: 'gpus', request: 'gpu' }]);
    // Chart.toJson, Testing.synth and App.synthYaml are three ways to the same manifest.
    expect(Yaml.load(fileOf(App.of(scope).synthYaml())).filter((json: any) => json.kind !== 'Service')).toEqual(rendered);
  });

  test('included YAML', () => {
    const scope = chart();
    const file = fileOf(Yaml.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'vendor' }, spec: { template: { spec: POD } } }));
    const included = new Include(scope, 'vendor', { url: file });

    PodDevices.of(included.apiObjects[0]).addClaim('gpus', template);

    expect(Testing.synth(scope)[0].spec.template.spec.resourceClaims).toEqual([{ name: 'gpus', resourceClaimTemplateName: 'trainer' }]);
  });

  test('what a Helm chart renders', () => {
    const scope = chart();
    const manifest = Yaml.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'vendor' }, spec: { template: { spec: POD } } });
    // Stands in for the helm binary: whatever is asked, it prints the chart.
    const helm = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'helm');
    writeFileSync(helm, `#!/bin/sh\ncat <<'EOF'\n${manifest}EOF\n`, { mode: 0o755 });
    const release = new Helm(scope, 'vendor', { chart: 'vendor', helmExecutable: helm });

    PodDevices.of(release.apiObjects[0]).addClaim('gpus', template, { containers: ['side'] });

    const { spec } = Testing.synth(scope)[0].spec.template;
    expect(spec.resourceClaims).toEqual([{ name: 'gpus', resourceClaimTemplateName: 'trainer' }]);
    expect(spec.containers[1].resources.claims).toEqual([{ name: 'gpus' }]);
  });

  test('a custom kind, by pointer, several templates in one object', () => {
    const scope = chart();
    const pytorch = apiObject(scope, 'PyTorchJob', 'kubeflow.org/v1', {
      pytorchReplicaSpecs: { Master: { template: { spec: POD } }, Worker: { replicas: 3, template: { spec: POD } } },
    });

    PodDevices.at(pytorch, '/spec/pytorchReplicaSpecs/Master/template').addClaim('gpu', template, { containers: ['main'] });
    PodDevices.at(pytorch, '/spec/pytorchReplicaSpecs/Worker/template').addClaim('gpus', shared, { containers: ['side'] });

    const { Master, Worker } = Testing.synth(scope)[0].spec.pytorchReplicaSpecs;
    expect(Master.template.spec.resourceClaims).toEqual([{ name: 'gpu', resourceClaimTemplateName: 'trainer' }]);
    expect(Worker.template.spec.resourceClaims).toEqual([{ name: 'gpus', resourceClaimName: 'shared-gpu' }]);
    expect(Worker.template.spec.containers[0].resources).toBeUndefined();
    expect(Worker.template.spec.containers[1].resources.claims).toEqual([{ name: 'gpus' }]);
  });

  test('a pointer with escapes and list positions', () => {
    const scope = chart();
    const custom = apiObject(scope, 'JobSet', 'example.com/v1', { 'a/b': [{ 'c~d': { spec: POD } }] });

    PodDevices.at(custom, '/spec/a~1b/0/c~0d').addClaim('gpu', template);

    expect(Testing.synth(scope)[0].spec['a/b'][0]['c~d'].spec.resourceClaims).toHaveLength(1);
  });
});

describe('uses', () => {
  test('all regular containers use a claim unless some are named', () => {
    const scope = chart();

    PodDevices.of(job(scope)).addClaim('gpus', template);

    const { containers, initContainers } = Testing.synth(scope)[0].spec.template.spec;
    expect(containers.map((container: any) => container.resources.claims)).toEqual([[{ name: 'gpus' }], [{ name: 'gpus' }]]);
    expect(initContainers[0].resources).toBeUndefined();
  });

  test('init containers and sidecars are named like any other', () => {
    const scope = chart();

    PodDevices.of(job(scope)).addClaim('gpus', template, { containers: ['setup'] });

    expect(Testing.synth(scope)[0].spec.template.spec.initContainers[0].resources.claims).toEqual([{ name: 'gpus' }]);
  });

  test('saying the same twice changes nothing, saying more adds containers and requests', () => {
    const scope = chart();
    const workload = job(scope);
    const source = new ResourceClaimTemplate(scope, 'two', {
      requests: [DeviceRequest.exactly('gpu', { deviceClass: large }), DeviceRequest.exactly('nic', { deviceClass: large })],
    });

    for (const _ of [1, 2]) PodDevices.of(workload).addClaim('devices', source, { containers: ['main'], request: 'gpu' });
    PodDevices.of(workload).addClaim('devices', source, { containers: ['main'], request: 'nic' });
    PodDevices.of(workload).addClaim('devices', source, { containers: ['side'], request: 'nic' });

    const { resourceClaims, containers } = Testing.synth(scope).find(json => json.kind === 'Job')!.spec.template.spec;
    expect(resourceClaims).toEqual([{ name: 'devices', resourceClaimTemplateName: 'two' }]);
    expect(containers[0].resources.claims).toEqual([{ name: 'devices', request: 'gpu' }, { name: 'devices', request: 'nic' }]);
    expect(containers[1].resources.claims).toEqual([{ name: 'devices', request: 'nic' }]);
  });

  test('several claims, and claims that the pod has already', () => {
    const scope = chart();
    const own = { resourceClaims: [{ name: 'old', resourceClaimName: 'x' }, { name: 'gpus', resourceClaimTemplateName: 'trainer' }], ...POD };
    const workload = apiObject(scope, 'Job', 'batch/v1', { template: { spec: own } });

    PodDevices.of(workload).addClaim('gpus', template);
    PodDevices.of(workload).addClaim('shared', shared);

    expect(Testing.synth(scope)[0].spec.template.spec.resourceClaims.map((claim: any) => claim.name)).toEqual(['old', 'gpus', 'shared']);
  });

  test('patches of the user still apply, and rendering twice gives the same', () => {
    const scope = chart();
    const workload = job(scope);
    PodDevices.of(workload).addClaim('gpus', template);
    workload.addJsonPatch(JsonPatch.add('/spec/backoffLimit', 3));

    const [first, second] = [workload.toJson(), workload.toJson()];

    expect(first.spec.backoffLimit).toBe(3);
    expect(second).toEqual(first);
  });
});

describe('refusals', () => {
  const claim = (scope: Chart) => new ResourceClaimTemplate(scope, 'two', {
    requests: [DeviceRequest.exactly('gpu', { deviceClass: large }), DeviceRequest.firstAvailable('nic', [{ name: 'fast', deviceClass: large }])],
  });

  test.each<[string, (scope: Chart) => void, RegExp]>([
    ['a kind without a known pod template', scope => PodDevices.of(apiObject(scope, 'PyTorchJob', 'kubeflow.org/v1', {})), /got kubeflow\.org\/v1 PyTorchJob\. Say where its pod template is: PodDevices\.at/],
    ['a pointer without a slash', scope => PodDevices.at(job(scope), 'spec.template'), /'podTemplate' must be a JSON pointer, got "spec\.template"/],
    ['a claim name that is no label', scope => PodDevices.of(job(scope)).addClaim('My GPU', template), /'name' must be a DNS label.*got "My GPU"/],
    ['a claim that no container uses', scope => PodDevices.of(job(scope)).addClaim('gpus', template, { containers: [] }), /must be used by a container, got an empty list/],
    ['a request that the claim does not have', scope => PodDevices.of(job(scope)).addClaim('gpus', claim(scope), { request: 'gpus' }), /'request' must be a request of claim 'gpus', got "gpus"\. It has "gpu", "nic"/],
    ['an alternative instead of its request', scope => PodDevices.of(job(scope)).addClaim('gpus', claim(scope), { request: 'nic/fast' }), /Containers name the request, not the alternative: write "nic"/],
    ['two sources under one name', scope => {
      const devices = PodDevices.of(job(scope));
      devices.addClaim('gpus', template);
      devices.addClaim('gpus', shared);
    }, /must have one source in a pod, got template "trainer" and claim "shared-gpu"/],
    // C-049: one claim cannot be used from two namespaces.
    ['a claim of another namespace', scope => {
      const other = new Chart(scope, 'other', { namespace: 'other' });
      PodDevices.of(job(scope)).addClaim('gpus', claim(other));
    }, /must live in the pods' namespace "team", got one in "other".*Make a claim or template in each namespace/],
  ])('%s is refused at once', (_name, attempt, message) => {
    expect(() => attempt(chart())).toThrow(message);
  });

  test.each<[string, (scope: Chart) => void, RegExp]>([
    ['a container that the pod does not have', scope => PodDevices.of(job(scope)).addClaim('gpus', template, { containers: ['train'] }),
      /\[chart\/job\] Claim 'gpus' must be used by a container of the pod, got "train"\. The pod has "main", "side", "setup"/],
    ['a pointer to no pod template', scope => PodDevices.at(job(scope), '/spec/nothing').addClaim('gpus', template), /There must be a pod template with containers at "\/spec\/nothing" of Job "w", got none/],
    ['a static pod', scope => PodDevices.of(apiObject(scope, 'Pod', 'v1', POD, { 'kubernetes.io/config.source': 'file' })).addClaim('gpus', template), /Static pods cannot use resource claims/],
    ['a claim both whole and by request', scope => {
      const devices = PodDevices.of(job(scope));
      devices.addClaim('gpus', template, { containers: ['main'] });
      devices.addClaim('gpus', template, { containers: ['main'], request: 'gpu' });
    }, /must use claim 'gpus' either whole or by request, got both/],
    ['a claim for 257 pods', scope => PodDevices.of(apiObject(scope, 'Deployment', 'apps/v1', { replicas: 257, template: { spec: POD } })).addClaim('gpus', shared),
      /At most 256 pods may share claim "shared-gpu" \('gpus'\), got 257\. Use a ResourceClaimTemplate/],
    ['another source under a name that the manifest uses', scope => {
      const workload = apiObject(scope, 'Job', 'batch/v1', { template: { spec: { resourceClaims: [{ name: 'gpus', resourceClaimName: 'mine' }], ...POD } } });
      PodDevices.of(workload).addClaim('gpus', template);
    }, /must have one source in a pod, got claim "mine" and template "trainer"/],
  ])('%s is refused when the app renders, in a plain App too', (_name, prepare, message) => {
    const scope = chart();
    prepare(scope);

    expect(() => scope.toJson()).toThrow(message);
  });

  test('256 pods on one claim and 257 on a template are fine', () => {
    const scope = chart();
    const deployment = (id: string, replicas: number) => new ApiObject(scope, id, { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas, template: { spec: POD } } } as any);
    PodDevices.of(deployment('a', 256)).addClaim('gpus', shared);
    PodDevices.of(deployment('b', 257)).addClaim('gpus', template);

    expect(() => scope.toJson()).not.toThrow();
  });
});

test('a source of the user needs nothing but bindClaim', () => {
  const scope = chart();
  const source: IClaimSource = { bindClaim: () => ClaimReference.claim('mine') };

  PodDevices.of(job(scope)).addClaim('gpus', source);

  expect(Testing.synth(scope)[0].spec.template.spec.resourceClaims).toEqual([{ name: 'gpus', resourceClaimName: 'mine' }]);
});

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'cdk8s-dra-')), 'vendor.yaml');
  writeFileSync(file, text);
  return file;
}
