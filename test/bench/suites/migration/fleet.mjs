/** A sound fleet: GPUs, FPGAs and NICs on each pool's nodes, which move together, with workloads and tenants. */
const FAMILIES = [
  { family: 'gpu', driver: 'gpu.example.com', resource: 'example.com/gpu' },
  { family: 'fpga', driver: 'fpga.example.com', resource: 'example.com/fpga' },
  { family: 'nic', driver: 'nic.example.com', resource: 'example.com/nic' },
];
const PHASES = ['Legacy', 'Observe', 'Canary', 'Expand'];
const WORKLOADS = 1_000;
const TENANTS = 100;

export function fleet(pools, { daemonsByPool }) {
  const numbers = Array.from({ length: pools }, (_, index) => index);
  return [
    ...FAMILIES.map(({ family, driver }) => deviceClass(family, driver)),
    ...numbers.flatMap(pool => FAMILIES.map(family => migration(pool, family))),
    ...(daemonsByPool ? numbers.flatMap(pool => FAMILIES.flatMap(family => daemons(family, `pool-${pool}`))) : FAMILIES.flatMap(family => daemons(family))),
    ...Array.from({ length: WORKLOADS }, (_, index) => job(index, pools)),
    ...Array.from({ length: TENANTS }, (_, index) => tenant(index)).flat(),
  ];
}

function deviceClass(family, driver) {
  return { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: family }, spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] } };
}

function migration(pool, { family, driver, resource }) {
  return {
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceMigration',
    metadata: { name: `${family}-${pool}` },
    spec: {
      family,
      driver,
      nodes: { matchLabels: { 'node.kubernetes.io/instance-type': `pool-${pool}` }, matchExpressions: [{ key: 'example.com/retired', operator: 'DoesNotExist' }] },
      deviceClassNames: [family],
      legacy: { resources: [{ name: resource }] },
      phase: PHASES[pool % PHASES.length],
      canary: { nodes: '5%', namespaces: ['tenant-0'] },
      expand: { steps: ['10%', '50%', '100%'], legacyFloor: 1 },
      group: `pool-${pool}`,
    },
  };
}

function daemons({ family, driver, resource }, pool) {
  const key = `cdk8s-dra.dev/${family}-owner`;
  const at = pool === undefined ? [] : [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: [pool] }];
  const daemonSet = (kind, folder, owner, text) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: `${family}-${kind}${pool === undefined ? '' : `-${pool}`}`, namespace: 'kube-system' },
    spec: {
      template: {
        spec: {
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [...at, owner] }] } } },
          containers: [{ name: kind, image: 'x', args: [text] }],
          volumes: [{ name: 'sockets', hostPath: { path: `/var/lib/kubelet/${folder}` } }],
        },
      },
    },
  });
  return [
    daemonSet('plugin', 'device-plugins', { key, operator: 'NotIn', values: ['handover', 'dra'] }, resource),
    daemonSet('driver', 'plugins_registry', { key, operator: 'In', values: ['dra'] }, driver),
  ];
}

/** Two in three run anywhere, the others on one pool. */
function job(index, pools) {
  const { resource } = FAMILIES[index % FAMILIES.length];
  const nodeSelector = index % 3 === 0 ? { 'node.kubernetes.io/instance-type': `pool-${(index * 4) % pools}` } : undefined;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: `job-${index}`, namespace: `tenant-${index % TENANTS}` },
    spec: { template: { spec: { nodeSelector, containers: [{ name: 'main', image: 'x', resources: { limits: { [resource]: 1 } } }] } } },
  };
}

function tenant(index) {
  const namespace = `tenant-${index}`;
  const quota = {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name: 'devices', namespace },
    spec: { hard: Object.fromEntries(FAMILIES.flatMap(({ family, resource }) => [[`requests.${resource}`, 4], [`${family}.deviceclass.resource.k8s.io/devices`, 4]])) },
  };
  return [{
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'DeviceTenant',
    metadata: { name: namespace },
    spec: { namespaces: [namespace], quota: { source: 'ResourceQuota', devices: FAMILIES.map(({ family }) => ({ deviceClassName: family, count: 8 })) } },
  }, quota];
}
