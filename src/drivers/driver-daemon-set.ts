import type { DriverInstallationProps } from './driver-installation-props';
import type { HostFolder } from './host-folder';
import type { Affinity, Container, DaemonSetSpec, EnvVar, PodSpec, Toleration, Volume, VolumeMount } from '../../imports/types';
import { handoverTaint, poolLabel } from '../model/node-contract';
import { ownerRequirement } from '../model/separation';

/** What the DaemonSet of a driver is made of. */
export interface DriverDaemonSetProps extends DriverInstallationProps {
  readonly name: string;
  readonly serviceAccountName: string;
}

/** The spec of the DaemonSet. */
export function driverDaemonSetSpec(props: DriverDaemonSetProps): DaemonSetSpec {
  const labels = { 'app.kubernetes.io/name': props.name };
  return {
    selector: { matchLabels: labels },
    // Without sockets of their own two drivers would take each other's; with them a new pod serves before the old one ends.
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: props.surge ? { maxSurge: 1, maxUnavailable: 0 } : { maxSurge: 0, maxUnavailable: 1 } },
    template: { metadata: { labels }, spec: podSpec(props) },
  };
}

function podSpec(props: DriverDaemonSetProps): PodSpec {
  const folders = hostFolders(props);
  return {
    serviceAccountName: props.serviceAccountName,
    // Without it a full node would evict the driver, and every pod with a claim on the node would hang at its end.
    priorityClassName: 'system-node-critical',
    ...(props.nodeLabels ? { nodeSelector: props.nodeLabels } : {}),
    ...(props.pool === undefined ? {} : { affinity: poolAffinity(props.driver.family, props.pool) }),
    tolerations: tolerations(props),
    containers: [container(props, folders)],
    volumes: folders.map(volume),
  };
}

function poolAffinity(family: string, pool: string): Affinity {
  const matchExpressions = [{ key: poolLabel(family), operator: 'In', values: [pool] }, ownerRequirement('driver', family)];
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } };
}

function container(props: DriverDaemonSetProps, folders: readonly NamedFolder[]): Container {
  return {
    name: 'driver',
    image: props.image,
    ...(props.command ? { command: props.command } : {}),
    ...(props.args ? { args: props.args } : {}),
    env: environment(props),
    volumeMounts: folders.map(mount),
    resources: { requests: { cpu: '10m', memory: '64Mi' } },
    ...probes(props.healthPort),
    securityContext: props.privileged ? { privileged: true } : {
      // Kubelet's folders belong to root.
      runAsUser: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], ...(props.capabilities ? { add: props.capabilities } : {}) },
      readOnlyRootFilesystem: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

/** Discovery of hardware may take minutes at the first start, so liveness waits for it. */
function probes(port: number | undefined): Pick<Container, 'startupProbe' | 'livenessProbe'> {
  if (port === undefined) return {};
  const grpc = { port, service: 'liveness' };
  return { startupProbe: { grpc, failureThreshold: 60, periodSeconds: 5 }, livenessProbe: { grpc, failureThreshold: 3, periodSeconds: 10 } };
}

function environment(props: DriverDaemonSetProps): EnvVar[] {
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });
  const own = Object.keys(props.env ?? {}).sort().map(name => ({ name, value: props.env![name] }));
  return [
    { name: 'CDI_ROOT', value: cdiRoot(props) },
    { name: 'KUBELET_PLUGINS_DIRECTORY_PATH', value: `${kubeletRoot(props)}/plugins` },
    { name: 'KUBELET_REGISTRAR_DIRECTORY_PATH', value: `${kubeletRoot(props)}/plugins_registry` },
    field('NAMESPACE', 'metadata.namespace'),
    field('NODE_NAME', 'spec.nodeName'),
    field('POD_UID', 'metadata.uid'),
    // Last, since Kubernetes fills $(…) in values from variables defined before.
    ...own,
  ];
}

interface NamedFolder extends HostFolder {
  readonly name: string;
}

function hostFolders(props: DriverDaemonSetProps): NamedFolder[] {
  return [
    { name: 'plugins-registry', path: `${kubeletRoot(props)}/plugins_registry`, writable: true },
    { name: 'plugins', path: `${kubeletRoot(props)}/plugins`, writable: true },
    { name: 'cdi', path: cdiRoot(props), writable: true },
    ...(props.hostFolders ?? []).map((folder, index) => ({ ...folder, name: `host-${index}` })),
  ];
}

function volume({ name, path, writable }: NamedFolder): Volume {
  return { name, hostPath: { path, type: writable ? 'DirectoryOrCreate' : 'Directory' } };
}

function mount({ name, path, writable, followsHostMounts }: NamedFolder): VolumeMount {
  return {
    name,
    mountPath: path,
    ...(writable ? {} : { readOnly: true }),
    ...(followsHostMounts ? { mountPropagation: 'HostToContainer' } : {}),
  };
}

function tolerations(props: DriverDaemonSetProps): Toleration[] {
  const own = (props.tolerations ?? []).map(({ key, value, effect }) => ({
    key,
    operator: value === undefined ? 'Exists' : 'Equal',
    ...(value === undefined ? {} : { value }),
    ...(effect === undefined ? {} : { effect }),
  }));
  return [{ key: handoverTaint(props.driver.family), operator: 'Exists' }, ...own];
}

function kubeletRoot(props: DriverDaemonSetProps): string {
  return withoutTrailingSlash(props.kubeletRoot ?? '/var/lib/kubelet');
}

function cdiRoot(props: DriverDaemonSetProps): string {
  return withoutTrailingSlash(props.cdiRoot ?? '/var/run/cdi');
}

function withoutTrailingSlash(folder: string): string {
  return folder.endsWith('/') ? folder.slice(0, -1) : folder;
}
