import { Cron, Duration } from 'cdk8s';
import type { Construct } from 'constructs';
import {
  AgentDevices, AllocationMode, CapacityRequest, CapacityRequestPolicy, ClaimRewriting, DeadlineAction, DeviceAttributeValue, DeviceClass,
  DeviceConfig, DeviceConstraint, DeviceMigration, DeviceNodeReportCrd, DevicePlatform, DevicePolicies, DevicePolicy, DeviceRequest,
  DeviceSelector, DeviceTaintRule, DeviceToleration, DriverInstallation, DriverProfile, Gate, GateFailureAction, HandoverStrategy,
  KubernetesTarget, KueueQuota, LegacyPath, MigrationCrds, MigrationGoal, MigrationPhase, NicOffer, NicScrub, NodeAgent, NodeCount,
  NodeSelection, RateLimiter, RdmaUse, ResourceClaim, ResourceClaimTemplate, ResourceSlice, SliceNodes, StandardAttribute, StringAttribute,
  TaintEffect,
} from '../src';

/** One construct of the library as small or as large as it can be. */
export interface Specimen {
  readonly construct: string;
  readonly size: 'minimal' | 'full';
  build(scope: Construct, id: string): void;
}

/** The newest version with every gate on that a full specimen uses. */
export const ZOO_TARGET = KubernetesTarget.of('1.37', {
  featureGates: {
    DRADerivedAttributes: true,
    DRAListTypeAttributes: true,
    DRADeviceCompatibilityGroups: true,
    DRAResourcePoolStatus: true,
    DRAPartitionableDevicesType: true,
    NodeDeclaredFeatures: true,
    DRAOptionalNodeOperations: true,
  },
});

const gpu = DriverProfile.nvidiaGpu();
const fpga = DriverProfile.custom({ driverName: 'fpga.example.com', family: 'fpga' });
const any = DeviceClass.fromDeviceClassName('any');
const size = StringAttribute.of('example.com', 'size');
const taint = { key: 'example.com/maintenance', value: 'soon', effect: TaintEffect.NO_SCHEDULE };

const claim = {
  requests: [
    DeviceRequest.exactly('gpu', {
      deviceClass: any,
      count: 2,
      selectors: [DeviceSelector.allOf(gpu.architecture.oneOf('Hopper', 'Blackwell'), DeviceSelector.noneOf(gpu.driverVersion.olderThan('550.0.0')))],
      tolerations: [
        DeviceToleration.equal('example.com/maintenance', 'soon', { effect: TaintEffect.NO_EXECUTE, tolerationSeconds: 300 }),
        DeviceToleration.exists('example.com/old'),
      ],
      capacity: [gpu.memory.amount('10Gi'), CapacityRequest.of('shares', '1')],
      derivedAttributes: [{ name: size.qualifiedName, expression: 'device.driver' }],
    }),
    DeviceRequest.exactly('watch', { deviceClass: any, allocationMode: AllocationMode.ALL, adminAccess: true }),
    DeviceRequest.firstAvailable('nic', [{ name: 'fast', deviceClass: any }, { name: 'slow', deviceClass: any, count: 2 }]),
  ],
  constraints: [
    DeviceConstraint.matchAttribute(StandardAttribute.PCIE_ROOT, 'gpu', 'nic'),
    DeviceConstraint.distinctAttribute(gpu.uuid, 'gpu'),
    DeviceConstraint.matchAttribute(size, 'gpu'),
  ],
  config: [DeviceConfig.opaque({ driver: fpga, parameters: { apiVersion: 'fpga.example.com/v1', kind: 'Bitstream' }, requests: ['gpu'] })],
};

const partitions = {
  driver: fpga,
  nodes: SliceNodes.perDevice(),
  partitionTypeAttribute: fpga.stringAttribute('kind'),
  skipNodeOperations: ['NodePrepareResources', 'NodeUnprepareResources'],
  devices: [
    {
      name: 'fpga-0',
      nodeLabels: { rack: '1' },
      attributes: {
        'kind': DeviceAttributeValue.text('crypto'),
        'cores': DeviceAttributeValue.whole(4),
        'secure': DeviceAttributeValue.flag(true),
        'shell': DeviceAttributeValue.version('2.1.0'),
        'models': DeviceAttributeValue.texts('a', 'b'),
        'lanes': DeviceAttributeValue.wholes(1, 2),
        'flags': DeviceAttributeValue.flags(true, false),
        'versions': DeviceAttributeValue.versions('1.0.0'),
        'example.com/site': DeviceAttributeValue.text('ams'),
      },
      capacity: {
        memory: { value: '8Gi', requestPolicy: CapacityRequestPolicy.between('1Gi', { min: '1Gi', max: '8Gi', step: '1Gi' }) },
        slots: { value: '4', requestPolicy: CapacityRequestPolicy.values('1', '1', '2', '4') },
      },
      allowMultipleAllocations: true,
      consumesCounters: [{ counterSet: 'fpga-0', counters: { regions: '2', memory: '4Gi' }, compatibilityGroups: ['whole', 'halves'] }],
      taints: [taint],
    },
    { name: 'fpga-1', nodeName: 'node-1', bindsToNode: true, bindingConditions: ['example.com/attached'], bindingFailureConditions: ['example.com/failed'] },
    { name: 'fpga-2', allNodes: true },
  ],
};

export const ZOO: readonly Specimen[] = [
  { construct: 'DeviceClass', size: 'minimal', build: (scope, id) => void new DeviceClass(scope, id) },
  {
    construct: 'DeviceClass',
    size: 'full',
    build: (scope, id) => void new DeviceClass(scope, id, {
      metadata: { labels: { tier: 'large' }, annotations: { note: 'yes' } },
      driver: gpu,
      selectors: [gpu.memory.atLeast('40Gi'), DeviceSelector.anyOf(gpu.productName.startsWith('NVIDIA'), gpu.brand.exists()), DeviceSelector.cel('true || device.driver == ""')],
      config: [DeviceConfig.opaque({ driver: fpga, parameters: { a: 1 } })],
      extendedResourceName: 'example.com/gpu-large',
    }),
  },
  {
    construct: 'ResourceClaim',
    size: 'minimal',
    build: (scope, id) => void new ResourceClaim(scope, id, { requests: [DeviceRequest.exactly('gpu', { deviceClass: any })] }),
  },
  { construct: 'ResourceClaim', size: 'full', build: (scope, id) => void new ResourceClaim(scope, id, claim) },
  {
    construct: 'ResourceClaimTemplate',
    size: 'minimal',
    build: (scope, id) => void new ResourceClaimTemplate(scope, id, { requests: [DeviceRequest.exactly('gpu', { deviceClass: any })] }),
  },
  {
    construct: 'ResourceClaimTemplate',
    size: 'full',
    build: (scope, id) => void new ResourceClaimTemplate(scope, id, { ...claim, claimLabels: { team: 'vision' }, claimAnnotations: { note: 'x' } }),
  },
  {
    construct: 'ResourceSlice',
    size: 'minimal',
    build: (scope, id) => void new ResourceSlice(scope, id, { driver: fpga, pool: { name: 'rack-1' }, nodes: SliceNodes.everyNode(), devices: [] }),
  },
  {
    construct: 'ResourceSlice',
    size: 'full',
    build: (scope, id) => {
      const pool = { name: 'rack-1/shelf-2', generation: 3, resourceSliceCount: 2 };
      // From 1.35 on counter sets stand in a slice of their own.
      new ResourceSlice(scope, `${id}-counters`, {
        driver: fpga, pool, nodes: SliceNodes.perDevice(), sharedCounters: [{ name: 'fpga-0', counters: { regions: '4', memory: '8Gi' } }],
      });
      new ResourceSlice(scope, id, { ...partitions, pool });
    },
  },
  {
    construct: 'DeviceTaintRule',
    size: 'minimal',
    build: (scope, id) => void new DeviceTaintRule(scope, id, { driver: gpu, taint: { key: 'example.com/x', effect: TaintEffect.NONE } }),
  },
  {
    construct: 'DeviceTaintRule',
    size: 'full',
    build: (scope, id) => void new DeviceTaintRule(scope, id, { driver: gpu, pool: 'node-1', device: 'gpu-0', taint }),
  },
  {
    construct: 'DriverInstallation',
    size: 'minimal',
    build: (scope, id) => void new DriverInstallation(scope, id, { driver: fpga, image: 'registry.example.com/fpga:1' }),
  },
  {
    construct: 'DriverInstallation',
    size: 'full',
    build: (scope, id) => void new DriverInstallation(scope, id, {
      driver: fpga,
      image: 'registry.example.com/fpga:1',
      createNamespace: true,
      command: ['fpga-driver'],
      args: ['--cdi-root=$(CDI_ROOT)'],
      env: { LOG_LEVEL: 'info' },
      kubeletRoot: '/var/lib/k0s/kubelet',
      cdiRoot: '/etc/cdi',
      hostFolders: [{ path: '/sys' }, { path: '/run/fpga', writable: true, followsHostMounts: true }],
      pool: 'crypto',
      nodeLabels: { fpga: 'yes' },
      tolerations: [{ key: 'fpga' }, { key: 'example.com/reserved', value: 'fpga', effect: 'NoSchedule' }],
      capabilities: ['SYS_ADMIN'],
      surge: true,
      writesClaimStatus: true,
      writesEvents: true,
      healthPort: 51515,
      openShift: true,
    }),
  },
  {
    construct: 'NodeAgent',
    size: 'minimal',
    build: (scope, id) => void new NodeAgent(scope, id, { driver: fpga, image: 'registry.example.com/agent:1' }),
  },
  {
    construct: 'NodeAgent',
    size: 'full',
    build: (scope, id) => void new NodeAgent(scope, id, {
      driver: DriverProfile.agentNic(),
      image: 'registry.example.com/agent:1',
      devices: AgentDevices.nic({
        offers: [
          NicOffer.sharedBandwidth({
            match: { pciDevice: '15b3:1021', interfaceName: 'ens*' },
            rate: RateLimiter.SYSFS,
            bandwidth: { value: '100G', defaultAmount: '10G', min: '1G', step: '1G' },
            maxShares: 16,
            rdma: RdmaUse.REQUIRED,
            scrub: NicScrub.FUNCTION_RESET,
          }),
          NicOffer.virtualFunctions({ match: { driver: 'mlx5_core' } }),
        ],
        order: ['nic-0'],
        exclude: ['0000:01:*'],
        reserve: 1,
      }),
      witness: true,
      pool: 'fast-net',
      nodeLabels: { 'example.com/nic': 'cx7' },
      tolerations: [{ key: 'nic' }, { key: 'example.com/reserved', value: 'nic', effect: 'NoSchedule' }],
      createNamespace: true,
      kubeletRoot: '/var/lib/k0s/kubelet/',
      cdiRoot: '/etc/cdi',
      writesClaimStatus: true,
      metricsPort: 9999,
      podMonitor: true,
      networkPolicy: true,
      openShift: true,
    }),
  },
  // It has no properties, so that both sizes are the same.
  ...(['minimal', 'full'] as const).map((each): Specimen => ({
    construct: 'DeviceNodeReportCrd',
    size: each,
    build: (scope, id) => void new DeviceNodeReportCrd(scope, id),
  })),
  { construct: 'DevicePolicies', size: 'minimal', build: (scope, id) => void new DevicePolicies(scope, id) },
  {
    construct: 'DevicePolicies',
    size: 'full',
    build: (scope, id) => void new DevicePolicies(scope, id, {
      policies: Object.values(DevicePolicy),
      tenantNamespaceLabels: { 'example.com/tenant': 'true' },
      systemNamespaces: ['dra-drivers', 'monitoring'],
      platformGroups: ['platform-team', 'system:serviceaccounts:argocd'],
      controllerAccounts: ['system:serviceaccount:kuberay:kuberay-operator', 'system:serviceaccount:jobset-system:jobset-controller-manager'],
      workloads: [{ apiGroup: 'example.com', resource: 'trainings', podTemplates: ['spec.leader', 'spec.workers[].template'], podSpecs: ['spec.router'] }],
    }),
  },
  { construct: 'MigrationCrds', size: 'minimal', build: (scope, id) => void new MigrationCrds(scope, id, { nodeReports: false }) },
  { construct: 'MigrationCrds', size: 'full', build: (scope, id) => void new MigrationCrds(scope, id) },
  {
    construct: 'DeviceMigration',
    size: 'minimal',
    build: (scope, id) => void new DeviceMigration(scope, id, {
      driver: fpga, deviceClasses: [any], nodes: NodeSelection.labels({ pool: 'fpga' }), phase: MigrationPhase.OBSERVE,
    }),
  },
  {
    construct: 'DeviceMigration',
    size: 'full',
    build: (scope, id) => void new DeviceMigration(scope, id, {
      metadata: { labels: { tier: 'large' }, annotations: { note: 'yes' } },
      driver: gpu,
      deviceClasses: [any, DeviceClass.fromDeviceClassName('other')],
      nodes: NodeSelection.allOf(
        NodeSelection.labels({ 'node.kubernetes.io/instance-type': 'p4d.24xlarge' }),
        NodeSelection.labelIn('zone', 'a', 'b'),
        NodeSelection.labelNotIn('state', 'sick'),
        NodeSelection.labelExists('gpu'), NodeSelection.labelMissing('reserved'),
      ),
      legacy: LegacyPath.extendedResources(
        [{ name: 'nvidia.com/mig-1g.5gb', partition: '1g.5gb' }, { name: 'nvidia.com/gpu', unitsPerDevice: 4 }], 'NVIDIA/k8s-device-plugin',
      ),
      phase: MigrationPhase.EXPAND,
      canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox', 'research'], selector: NodeSelection.labels({ rack: '1' }) },
      expand: { steps: [NodeCount.percent(10), NodeCount.percent(50)], topologyKey: 'topology.example.com/rack', legacyFloor: NodeCount.absolute(1) },
      gates: [
        Gate.allocationSuccess({ atLeast: 0.99, minimumSample: 200 }), Gate.prepareSuccess({ atLeast: 0.995, holdsFor: Duration.hours(1) }),
        Gate.capacityConverged({ holdsFor: Duration.minutes(30) }),
        Gate.startLatency({ atMost: 1.5, tolerance: Duration.seconds(5), minimumSample: 50 }),
        Gate.noDoubleOwner(), Gate.nodesReporting({ atLeast: 0.95 }), Gate.manual({ name: 'change-board' }),
      ],
      handover: {
        strategy: HandoverStrategy.WAIT_FOR_IDLE,
        deadline: Duration.hours(72),
        onDeadline: DeadlineAction.SKIP,
        parallelism: NodeCount.percent(5),
        maxNodesWaiting: NodeCount.absolute(4),
        maxIdleDeviceHours: 200,
      },
      group: 'a100-nodes',
      onGateFailure: GateFailureAction.ROLLBACK,
      optimizeFor: MigrationGoal.THROUGHPUT,
      windows: [{ start: Cron.schedule({ minute: '0', hour: '22', weekDay: '1-5' }), duration: Duration.hours(6), timeZone: 'Europe/Amsterdam' }],
      change: { ticket: 'CHG-4711', approvedBy: 'platform-board' },
      assumesDisjoint: ['h100'],
    }),
  },
  {
    construct: 'ClaimRewriting',
    size: 'minimal',
    build: (scope, id) => {
      const pool = new DeviceMigration(scope, `${id}-pool`, {
        driver: fpga,
        deviceClasses: [any],
        nodes: NodeSelection.labels({ pool: 'fpga' }),
        legacy: LegacyPath.extendedResources([{ name: 'example.com/fpga', unitsPerDevice: 2 }]),
        phase: MigrationPhase.OBSERVE,
      });
      new ClaimRewriting(scope, id, { pools: [pool], claims: [{ units: 1, claimTemplate: 'half-fpga' }] });
    },
  },
  {
    construct: 'ClaimRewriting',
    size: 'full',
    build: (scope, id) => {
      const pool = new DeviceMigration(scope, `${id}-pool`, {
        driver: gpu,
        deviceClasses: [any, DeviceClass.fromDeviceClassName('other')],
        nodes: NodeSelection.labels({ pool: 'a100' }),
        legacy: LegacyPath.extendedResources([{ name: 'nvidia.com/mig-1g.5gb', partition: '1g.5gb' }, { name: 'nvidia.com/gpu' }]),
        phase: MigrationPhase.EXPAND,
        canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
      });
      new ClaimRewriting(scope, id, {
        metadata: { name: 'gpus-by-claim', labels: { tier: 'large' }, annotations: { note: 'yes' } },
        pools: [pool],
        resource: 'nvidia.com/gpu',
        deviceClass: any,
        claims: [{ units: 8, claimTemplate: 'gpu-8' }, { units: 1, claimTemplate: 'gpu-1' }],
        claimsWhenOpen: true,
        systemNamespaces: ['monitoring'],
      });
    },
  },
  {
    construct: 'KueueQuota',
    size: 'minimal',
    build: (scope, id) => {
      const pool = new DeviceMigration(scope, `${id}-pool`, {
        driver: fpga, deviceClasses: [any], nodes: NodeSelection.labels({ pool: 'fpga' }), phase: MigrationPhase.OBSERVE,
      });
      new KueueQuota(scope, id, { pools: [{ pool, nodes: 4, devicesPerNode: 2 }], queues: [{ name: 'vision', shares: [{ pool, devices: 8 }] }] });
    },
  },
  {
    construct: 'KueueQuota',
    size: 'full',
    build: (scope, id) => {
      const pool = new DeviceMigration(scope, `${id}-pool`, {
        driver: gpu,
        deviceClasses: [any],
        nodes: NodeSelection.labels({ pool: 'a100' }),
        legacy: LegacyPath.extendedResources([{ name: 'nvidia.com/gpu', unitsPerDevice: 4 }], 'NVIDIA/k8s-device-plugin'),
        phase: MigrationPhase.EXPAND,
        canary: { nodes: NodeCount.absolute(2), namespaces: ['sandbox'] },
      });
      new KueueQuota(scope, id, {
        pools: [{ pool, nodes: 10, devicesPerNode: 8, draNodes: 5 }],
        queues: [{
          name: 'vision',
          shares: [{ pool, devices: 60 }],
          resources: [{ flavor: 'any-node', quota: { memory: '2Ti', cpu: '400' } }],
          namespaceLabels: { 'example.com/team': 'vision' },
          cohort: 'research',
          spec: { queueingStrategy: 'StrictFIFO' },
        }],
      });
    },
  },
  {
    construct: 'DevicePlatform',
    size: 'minimal',
    build: (scope, id) => void new DevicePlatform(scope, id).addClass('gpu', {}),
  },
  {
    construct: 'DevicePlatform',
    size: 'full',
    build: (scope, id) => {
      const platform = new DevicePlatform(scope, id, { driverNamespace: 'drivers' });
      const large = platform.addClass('gpu-large', { driver: gpu });
      platform.addPool('a100', { driver: gpu, deviceClasses: [large], nodes: NodeSelection.labels({ gpu: 'a100' }), phase: MigrationPhase.OBSERVE });
      platform.addDriver('fpga', { driver: fpga, image: 'registry.example.com/fpga:1', privileged: true });
      platform.addNodeAgent('witness', { driver: fpga, image: 'registry.example.com/agent:1' });
      new ResourceClaim(platform.teamChart('vision'), 'shared', { requests: [DeviceRequest.exactly('gpu', { deviceClass: large })] });
    },
  },
];
