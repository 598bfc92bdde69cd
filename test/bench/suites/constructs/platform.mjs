/** The platform that is measured: `units` business units of 70 charts and 2,000 objects each, in the proportions of a real repository. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { ApiObject, Chart } = require('cdk8s');
const dra = require('cdk8s-dra');

/** What one unit holds: a chart of classes that is also the folder of its 69 team charts. */
const CHARTS_PER_UNIT = 70;
const OBJECTS_PER_UNIT = 2_000;

const PIPELINES_PER_TEAM = 7;
const CLASSES_PER_UNIT = OBJECTS_PER_UNIT - (CHARTS_PER_UNIT - 1) * PIPELINES_PER_TEAM * 4;
const MODELS = ['A100', 'H100', 'H200', 'L40S'];
const MEMORIES = ['10Gi', '20Gi', '40Gi', '80Gi'];

/** An app with all of it, nothing rendered yet. */
export function buildPlatform(units, outdir, kubernetes) {
  const app = new dra.PlatformApp({ outdir, kubernetes: dra.KubernetesTarget.of(kubernetes) });
  const gpu = dra.DriverProfile.nvidiaGpu();
  for (let unit = 0; unit < units; unit++) addUnit(app, `unit-${digits(unit)}`, gpu);
  return app;
}

function addUnit(app, unit, gpu) {
  const folder = new Chart(app, unit);
  const classes = Array.from({ length: CLASSES_PER_UNIT }, (_, at) => new dra.DeviceClass(folder, `${unit}-gpu-${digits(at)}`, {
    driver: gpu,
    selectors: [
      gpu.productName.startsWith(`NVIDIA ${MODELS[at % MODELS.length]}`),
      dra.DeviceSelector.allOf(gpu.memory.atLeast(MEMORIES[at % MEMORIES.length]), dra.DeviceSelector.noneOf(gpu.driverVersion.olderThan('550.0.0'))),
    ],
  }));
  for (let team = 1; team < CHARTS_PER_UNIT; team++) addTeam(folder, `${unit}-team-${digits(team)}`, gpu, classes[team % classes.length]);
}

/** Each pipeline is a template, the settings, and two jobs that use both. */
function addTeam(folder, team, gpu, deviceClass) {
  const chart = new Chart(folder, team, { namespace: team, labels: { 'example.com/team': team } });
  for (let at = 0; at < PIPELINES_PER_TEAM; at++) {
    const pipeline = `pipeline-${digits(at)}`;
    const template = new dra.ResourceClaimTemplate(chart, `${pipeline}-gpus`, {
      requests: [
        dra.DeviceRequest.exactly('gpu', { deviceClass, count: 1 + at % 4, selectors: [gpu.architecture.oneOf('Ampere', 'Hopper')] }),
      ],
      constraints: [dra.DeviceConstraint.matchAttribute(dra.StandardAttribute.PCIE_ROOT, 'gpu')],
    });
    new ApiObject(chart, `${pipeline}-settings`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `${pipeline}-settings` },
      data: { 'settings.json': JSON.stringify({ team, pipeline, learningRate: 0.0003, epochs: 40 }, null, 2), 'LOG_LEVEL': 'info' },
    });
    for (const step of ['train', 'evaluate']) dra.PodDevices.of(addJob(chart, pipeline, step)).addClaim('gpu', template, { containers: [step] });
  }
}

function addJob(chart, pipeline, step) {
  const name = `${pipeline}-${step}`;
  return new ApiObject(chart, name, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels: { 'app.kubernetes.io/name': pipeline, 'app.kubernetes.io/component': step } },
    spec: {
      backoffLimit: 2,
      ttlSecondsAfterFinished: 86_400,
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': pipeline } },
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: step,
              image: `registry.example.com/ml/${step}:4.2.1`,
              command: ['python', '-m', `ml.${step}`],
              args: ['--settings=/etc/settings/settings.json', '--output=/data/out'],
              env: [{ name: 'LOG_LEVEL', valueFrom: { configMapKeyRef: { name: `${pipeline}-settings`, key: 'LOG_LEVEL' } } }],
              resources: { requests: { cpu: '8', memory: '64Gi' }, limits: { memory: '64Gi' } },
              volumeMounts: [{ name: 'settings', mountPath: '/etc/settings', readOnly: true }, { name: 'data', mountPath: '/data' }],
            },
          ],
          volumes: [
            { name: 'settings', configMap: { name: `${pipeline}-settings` } },
            { name: 'data', persistentVolumeClaim: { claimName: `${pipeline}-data` } },
          ],
        },
      },
    },
  });
}

function digits(number) {
  return String(number).padStart(2, '0');
}
