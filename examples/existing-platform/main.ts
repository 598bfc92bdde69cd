import { ApiObject, App, Chart, Cron, Include } from 'cdk8s';
import { AllocationMode, DeviceClass, DeviceRequest, DriverProfile, KubernetesTarget, PodDevices, ResourceClaimTemplate } from 'cdk8s-dra'; // added
import * as kplus from 'cdk8s-plus-28';
import { TeamChart, teamContainer, TeamJob } from './team-workloads';

const app = new App();
KubernetesTarget.of('1.35').applyTo(app); // added for DRA

// added for DRA: what the platform offers
const nvidia = DriverProfile.nvidiaGpu();
const classes = new Chart(app, 'device-classes');
const gpu = new DeviceClass(classes, 'gpu', { driver: nvidia, selectors: [nvidia.deviceType.oneOf('gpu')] });
const gpuLarge = new DeviceClass(classes, 'gpu-large', {
  driver: nvidia,
  selectors: [nvidia.deviceType.oneOf('gpu'), nvidia.memory.atLeast('80Gi')],
});

const namespaces = new Chart(app, '00-namespaces'); // in the first file, as kubectl apply -f dist goes by name
for (const name of ['vision', 'speech']) new kplus.Namespace(namespaces, name, { metadata: { name } });
new kplus.Namespace(namespaces, 'gpu-monitoring', {
  metadata: {
    name: 'gpu-monitoring',
    labels: { 'resource.kubernetes.io/admin-access': 'true' }, // added for DRA
  },
});

// Team vision: batch jobs from our base class, one of them still on the device plugin.
const vision = new TeamChart(app, 'vision');

// added for DRA: what its pods ask for
const oneGpu = new ResourceClaimTemplate(vision, 'one-gpu', {
  requests: [DeviceRequest.exactly('gpu', { deviceClass: gpu })],
});
const eightGpus = new ResourceClaimTemplate(vision, 'eight-gpus', {
  requests: [DeviceRequest.exactly('gpus', { deviceClass: gpuLarge, count: 8 })],
});

new TeamJob(vision, 'resize', { image: 'vision/resize:5', gpus: 1 });
new TeamJob(vision, 'train', { image: 'vision/train:31', devices: eightGpus }); // was: gpus: 8

const nightly = new kplus.CronJob(vision, 'evaluate', {
  metadata: { name: 'evaluate' },
  schedule: Cron.daily(),
  containers: [teamContainer('evaluate', 'vision/evaluate:9')],
});
PodDevices.of(nightly).addClaim('gpu', oneGpu); // added for DRA

// A service: the model is fetched before the server starts, and a proxy runs beside it. Only the server sees the GPU.
const captions = new kplus.Deployment(vision, 'captions', {
  metadata: { name: 'captions' },
  replicas: 2,
  initContainers: [
    teamContainer('fetch-model', 'platform/fetch:2'),
    { ...teamContainer('proxy', 'platform/proxy:7'), restartPolicy: kplus.ContainerRestartPolicy.ALWAYS },
  ],
  containers: [{ ...teamContainer('server', 'vision/captions:14'), portNumber: 8080 }],
});
PodDevices.of(captions).addClaim('gpu', oneGpu, { containers: ['server'] }); // added for DRA

// Team speech trains on several nodes with an operator whose kind we have no types for.
const speech = new TeamChart(app, 'speech');
const nodeOfGpus = new ResourceClaimTemplate(speech, 'node-of-gpus', { // added for DRA
  requests: [DeviceRequest.exactly('gpus', { deviceClass: gpuLarge, count: 8 })],
});
const replica = (replicas: number) => ({
  replicas,
  restartPolicy: 'OnFailure',
  template: { spec: { containers: [{ name: 'pytorch', image: 'registry.example.com/speech/pretrain:3' }] } },
});
const pretrain = new ApiObject(speech, 'pretrain', {
  apiVersion: 'kubeflow.org/v1',
  kind: 'PyTorchJob',
  metadata: { name: 'pretrain' },
  spec: { pytorchReplicaSpecs: { Master: replica(1), Worker: replica(3) } },
});
PodDevices.at(pretrain, '/spec/pytorchReplicaSpecs/Master/template').addClaim('gpus', nodeOfGpus); // added for DRA
PodDevices.at(pretrain, '/spec/pytorchReplicaSpecs/Worker/template').addClaim('gpus', nodeOfGpus); // added for DRA

// The vendor's metrics, included as they come. They watch all GPUs of a node, also those in use.
const monitoring = new Chart(app, 'gpu-monitoring', { namespace: 'gpu-monitoring' });
const vendor = new Include(monitoring, 'vendor', { url: `${__dirname}/vendor/gpu-metrics.yaml` });
const allGpus = new ResourceClaimTemplate(monitoring, 'all-gpus', { // added for DRA
  requests: [DeviceRequest.exactly('gpus', { deviceClass: gpu, allocationMode: AllocationMode.ALL, adminAccess: true })],
});
const exporter = vendor.apiObjects.find(object => object.kind === 'DaemonSet')!; // added for DRA
PodDevices.of(exporter).addClaim('gpus', allGpus, { containers: ['exporter'] }); // added for DRA

app.synth();
