import { createHash } from 'node:crypto';
import { agentConfiguration, agentPlaces, HOST_ROOT, withoutTrailingSlash } from './agent-configuration';
import type { NodeAgentProps } from './node-agent-props';
import type { Affinity, Container, DaemonSetSpec, EnvVar, PodSpec, SecurityContext, Toleration, Volume, VolumeMount } from '../../../imports/types';
import { handoverTaint, poolLabel } from '../../model/node-contract';

/** The spec of an agent's DaemonSet, whose name is also that of its account and ConfigMap. */
export function agentDaemonSetSpec(name: string, props: NodeAgentProps): DaemonSetSpec {
  const labels = { 'app.kubernetes.io/name': name };
  // A change of the configuration is a change of the pods.
  const hash = createHash('sha256').update(agentConfiguration(props)).digest('hex').slice(0, 16);
  return {
    selector: { matchLabels: labels },
    // Two agents share a data folder by their lock, so the new one is there before the old one ends.
    updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: { metadata: { labels, annotations: { 'cdk8s-dra.dev/configuration': hash } }, spec: podSpec(name, props) },
  };
}

function podSpec(name: string, props: NodeAgentProps): PodSpec {
  const folders = hostFolders(props);
  return {
    serviceAccountName: name,
    // Without it a full node would evict the agent, and every pod with a claim on the node would hang at its end.
    priorityClassName: 'system-node-critical',
    terminationGracePeriodSeconds: 30,
    affinity: nodeAffinity(props),
    tolerations: tolerations(props),
    containers: [container(props, folders)],
    volumes: [{ name: 'configuration', configMap: { name } }, ...folders.map(volume)],
  };
}

function nodeAffinity({ driver, pool, nodeLabels = {} }: NodeAgentProps): Affinity {
  const key = poolLabel(driver.family);
  const matchExpressions = [
    pool === undefined ? { key, operator: 'Exists' } : { key, operator: 'In', values: [pool] },
    ...Object.keys(nodeLabels).sort().map(label => ({ key: label, operator: 'In', values: [nodeLabels[label]] })),
  ];
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } } };
}

function container(props: NodeAgentProps, folders: readonly Folder[]): Container {
  const { metricsPort } = agentPlaces(props);
  const healthz = { httpGet: { path: '/healthz', port: metricsPort } };
  return {
    name: 'agent',
    image: props.image,
    args: ['--config', `${CONFIGURATION_FOLDER}/agent.yaml`],
    env: environment(),
    ports: [{ name: 'metrics', containerPort: metricsPort, protocol: 'TCP' }],
    volumeMounts: [{ name: 'configuration', mountPath: CONFIGURATION_FOLDER, readOnly: true }, ...folders.map(mount)],
    resources: { requests: { cpu: '10m', memory: '96Mi' }, limits: { memory: '256Mi' } },
    // Hardware may take minutes to appear at the first start of a node.
    startupProbe: { ...healthz, periodSeconds: 2, failureThreshold: 300 },
    livenessProbe: { ...healthz, periodSeconds: 10, failureThreshold: 6, timeoutSeconds: 5 },
    readinessProbe: { httpGet: { path: '/readyz', port: metricsPort }, periodSeconds: 5, failureThreshold: 1, timeoutSeconds: 5 },
    securityContext: securityContext(props),
  };
}

function securityContext({ devices }: NodeAgentProps): SecurityContext {
  const { privileged = false, capabilities = [] } = devices?._needs ?? {};
  return {
    // Kubelet's folders belong to root.
    runAsUser: 0,
    readOnlyRootFilesystem: true,
    ...(privileged ? { privileged } : {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'], ...(capabilities.length === 0 ? {} : { add: capabilities }) },
      seccompProfile: { type: 'RuntimeDefault' },
    }),
  };
}

const CONFIGURATION_FOLDER = '/etc/cdk8s-dra';

function environment(): EnvVar[] {
  const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath } } });
  return [field('NAMESPACE', 'metadata.namespace'), field('NODE_NAME', 'spec.nodeName'), field('POD_NAME', 'metadata.name'), field('POD_UID', 'metadata.uid')];
}

interface Folder {
  readonly name: string;
  readonly path: string;
  readonly mountPath: string;
  readonly writable?: boolean;
  readonly made?: boolean;
}

/** Kubelet and runtime are told paths, so their folders are at the same place inside; the host's files lie below one root. */
function hostFolders(props: NodeAgentProps): readonly Folder[] {
  const { kubeletRoot, cdiRoot } = agentPlaces(props);
  const own = (name: string, path: string) => ({ name, path, mountPath: path, writable: true, made: true });
  const folders: Folder[] = [{ ...own('plugins-registry', `${kubeletRoot}/plugins_registry`), writable: props.devices !== undefined }];
  if (props.witness ?? true) folders.push({ name: 'pod-resources', path: `${kubeletRoot}/pod-resources`, mountPath: `${kubeletRoot}/pod-resources` });
  if (props.devices === undefined) return folders;
  const { writesSys, folders: others = [] } = props.devices._needs;
  folders.push(
    own('data', `${kubeletRoot}/plugins/${props.driver.driverName}`),
    own('cdi', cdiRoot),
    { name: 'host-dev', path: '/dev', mountPath: `${HOST_ROOT}/dev` },
    { name: 'host-proc', path: '/proc', mountPath: `${HOST_ROOT}/proc` },
    { name: 'host-sys', path: '/sys', mountPath: `${HOST_ROOT}/sys`, writable: writesSys },
    ...[...new Set(others.map(withoutTrailingSlash))].map((path, index) => ({ name: `host-${index}`, path, mountPath: `${HOST_ROOT}${path}`, made: true })),
  );
  return folders;
}

function volume({ name, path, made }: Folder): Volume {
  return { name, hostPath: { path, type: made ? 'DirectoryOrCreate' : 'Directory' } };
}

function mount({ name, mountPath, writable }: Folder): VolumeMount {
  // What is mounted on the host later, such as a driver's folder in /dev, shows up too.
  return { name, mountPath, ...(writable ? {} : { readOnly: true }), ...(mountPath.startsWith(HOST_ROOT) ? { mountPropagation: 'HostToContainer' } : {}) };
}

function tolerations({ driver, tolerations: given = [] }: NodeAgentProps): Toleration[] {
  const own = given.map(({ key, value, effect }) => ({
    key,
    operator: value === undefined ? 'Exists' : 'Equal',
    ...(value === undefined ? {} : { value }),
    ...(effect === undefined ? {} : { effect }),
  }));
  return [{ key: handoverTaint(driver.family), operator: 'Exists' }, ...own];
}
