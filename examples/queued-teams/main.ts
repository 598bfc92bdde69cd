import { ApiObject, Chart } from 'cdk8s';
import {
  DeviceClass, DeviceMigration, DeviceRequest, DriverProfile, KubernetesTarget, KueueQuota, LegacyPath, MigrationPhase, NodeCount, NodeSelection,
  PlatformApp, ResourceClaimTemplate,
} from 'cdk8s-dra';

const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.37') });
const gpu = DriverProfile.custom({ driverName: 'gpu.example.com', family: 'gpu' });

// dist/20-classes.yaml: the selection is here, since Kueue counts no request with a selector.
const large = new DeviceClass(new Chart(app, '20-classes'), 'a100-large', { driver: gpu });

// dist/30-pools/a100.yaml: three nodes of one GPU each, selected by one label, since a flavor knows nothing else.
const pools = new Chart(app, '30-pools');
const a100 = new DeviceMigration(new Chart(pools, 'a100'), 'a100', {
  driver: gpu,
  deviceClasses: [large],
  nodes: NodeSelection.labels({ 'example.com/pool': 'a100' }),
  legacy: LegacyPath.extendedResource('example.com/gpu'),
  phase: MigrationPhase.CANARY, // Moving on is this line; the quota below moves with it.
  canary: { nodes: NodeCount.absolute(1), namespaces: ['vision'] },
  expand: { steps: [NodeCount.percent(50), NodeCount.percent(100)], legacyFloor: NodeCount.absolute(1) },
});

// dist/40-queues.yaml: both ways of the pool, and what the team may hold of them together.
new KueueQuota(new Chart(app, '40-queues'), 'gpus', {
  pools: [{ pool: a100, nodes: 3, devicesPerNode: 1 }],
  queues: [{ name: 'team', shares: [{ pool: a100, devices: 3 }] }],
});

// dist/50-team.yaml: jobs name the queue, and ask by template or by the old name.
const team = new Chart(app, '50-team', { namespace: 'vision' });
new ApiObject(team, 'queue', { apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'LocalQueue', metadata: { name: 'team' }, spec: { clusterQueue: 'team' } });
const template = new ResourceClaimTemplate(team, 'gpu', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large })] });
const job = (name: string, resources: object, claims: object) => new ApiObject(team, name, {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name, labels: { 'kueue.x-k8s.io/queue-name': 'team', 'cdk8s-dra.dev/interruption': 'safe' } },
  spec: {
    suspend: true,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'registry.example.com/vision/work:1', resources }], ...claims } },
  },
});
// Requests beside limits: once a class serves the old name, Kueue counts requests only.
job('by-old-name', { requests: { 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } }, {});
job('by-claim', { claims: [{ name: 'gpu' }] }, { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: template.resourceClaimTemplateName }] });

app.synth();
