import { ApiObject, Chart } from 'cdk8s';
import { DeviceClass, DeviceRequest, DriverProfile, KubernetesTarget, PlatformApp, PodDevices, ResourceClaimTemplate } from 'cdk8s-dra';

// One app describes one cluster; `outdir` is `dist` unless `cdk8s synth` says otherwise.
const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.34') });
const gpu = DriverProfile.exampleGpu();

// dist/20-classes.yaml: what the platform team offers.
const classes = new Chart(app, '20-classes');
const large = new DeviceClass(classes, 'gpu-large', {
  driver: gpu,
  selectors: [gpu.memory.atLeast('40Gi')],
});

// dist/50-team-vision.yaml: what a team asks for.
const team = new Chart(app, '50-team-vision', { namespace: 'vision' });
const trainer = new ResourceClaimTemplate(team, 'trainer', {
  requests: [DeviceRequest.exactly('gpus', { deviceClass: large, count: 2 })],
});

const job = new ApiObject(team, 'train', {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'train' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'train', image: 'registry.example.com/vision/train:1' }] } } },
});
PodDevices.of(job).addClaim('gpus', trainer, { containers: ['train'] });

app.synth();
