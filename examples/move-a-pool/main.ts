import { Chart, Cron, Duration } from 'cdk8s';
import {
  DeadlineAction, DeviceClass, DeviceMigration, DriverProfile, Gate, KubernetesTarget, LegacyPath, MigrationPhase, NodeCount, NodeSelection,
  PlatformApp,
} from 'cdk8s-dra';

const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.34') });
const gpu = DriverProfile.nvidiaGpu({ driverVersion: '0.4' });

// dist/20-classes.yaml: what takes the place of nvidia.com/gpu.
const classes = new Chart(app, '20-classes');
const large = new DeviceClass(classes, 'gpu-large', { driver: gpu, selectors: [gpu.deviceType.oneOf('gpu'), gpu.memory.atLeast('40Gi')] });

// dist/30-pools/a100.yaml: the nodes that move, and how far they may go.
const pools = new Chart(app, '30-pools');
new DeviceMigration(new Chart(pools, 'a100'), 'a100', {
  driver: gpu,
  deviceClasses: [large],
  nodes: NodeSelection.labels({ 'node.kubernetes.io/instance-type': 'p4d.24xlarge' }),
  legacy: LegacyPath.extendedResource('nvidia.com/gpu'),
  phase: MigrationPhase.CANARY, // Moving on is this line.
  canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
  expand: { steps: [NodeCount.percent(10), NodeCount.percent(50), NodeCount.percent(90)], legacyFloor: NodeCount.absolute(1) },
  gates: [
    Gate.allocationSuccess({ atLeast: 0.99, minimumSample: 200 }),
    Gate.capacityConverged({ holdsFor: Duration.minutes(30) }),
    Gate.startLatency({ atMost: 1.5 }),
  ],
  handover: { deadline: Duration.hours(72), onDeadline: DeadlineAction.HOLD },
  windows: [{ start: Cron.schedule({ minute: '0', hour: '8', weekDay: '1-4' }), duration: Duration.hours(8), timeZone: 'Europe/Amsterdam' }],
  change: { ticket: 'CHG-4711' },
});

app.synth();
