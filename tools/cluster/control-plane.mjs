// The processes of a control plane and their flags.
import { join } from 'node:path';

/** Range of service addresses; its first one is the API server's, and stands in its certificate. */
const SERVICE_RANGE = '10.96.0.0/16';
export const SERVICE_ADDRESS = '10.96.0.1';

/** What the API server's certificate is valid for, beside its own address. */
export const SERVER_NAMES = ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];

/** Requests that say nothing about devices and would fill the audit log. */
export const AUDIT_POLICY = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    { level: 'None', resources: [{ group: 'coordination.k8s.io', resources: ['leases'] }] },
    { level: 'None', nonResourceURLs: ['/healthz*', '/livez*', '/readyz*', '/openapi/*', '/version*'] },
    { level: 'None', users: ['system:apiserver'] },
    { level: 'RequestResponse', resources: [{ group: 'resource.k8s.io' }], verbs: ['create', 'update', 'patch', 'delete', 'deletecollection'] },
    { level: 'Metadata' },
  ],
};

/**
 * The components in the order of their start.
 *
 * @param {import('./state.mjs').ClusterState} state
 * @returns {import('./processes.mjs').Component[]}
 */
export function controlPlane(state) {
  const { folder, programs, ports, address } = state;
  const pki = name => join(folder, 'pki', name);
  const etcd = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  const gates = flag('feature-gates', state.featureGates);
  const emulated = flag('emulated-version', state.emulate && `kube=${state.emulate}`);
  const component = (name, ...args) => ({ name, command: [join(programs, name), ...args.flat()], log: join(folder, 'logs', `${name}.log`) });
  const withKubeconfig = (name, port) => {
    const file = join(folder, `${name}.kubeconfig`);
    return [
      `--kubeconfig=${file}`,
      `--authentication-kubeconfig=${file}`,
      `--authorization-kubeconfig=${file}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--leader-elect=false',
      gates,
      emulated,
    ].flat();
  };
  return [
    component(
      'etcd',
      '--name=e',
      `--data-dir=${join(folder, 'etcd')}`,
      '--unsafe-no-fsync',
      `--listen-client-urls=${etcd}`,
      `--advertise-client-urls=${etcd}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=e=${peer}`,
      '--log-level=warn',
    ),
    component(
      'kube-apiserver',
      `--etcd-servers=${etcd}`,
      `--bind-address=${address}`,
      `--secure-port=${ports.api}`,
      // Any address that is not loopback will do: no endpoints are written.
      '--advertise-address=192.0.2.1',
      '--endpoint-reconciler-type=none',
      `--service-cluster-ip-range=${SERVICE_RANGE}`,
      '--authorization-mode=Node,RBAC',
      '--enable-admission-plugins=NodeRestriction',
      `--client-ca-file=${pki('ca.crt')}`,
      `--tls-cert-file=${pki('kube-apiserver.crt')}`,
      `--tls-private-key-file=${pki('kube-apiserver.key')}`,
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${pki('sa.pub')}`,
      `--service-account-signing-key-file=${pki('sa.key')}`,
      '--allow-privileged=true',
      `--requestheader-client-ca-file=${pki('front-proxy-ca.crt')}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      `--proxy-client-cert-file=${pki('front-proxy-client.crt')}`,
      `--proxy-client-key-file=${pki('front-proxy-client.key')}`,
      `--kubelet-client-certificate=${pki('admin.crt')}`,
      `--kubelet-client-key=${pki('admin.key')}`,
      '--kubelet-preferred-address-types=InternalIP',
      `--audit-policy-file=${join(folder, 'audit-policy.json')}`,
      `--audit-log-path=${join(folder, 'logs', 'audit.log')}`,
      gates,
      flag('runtime-config', state.runtimeConfig),
      emulated,
    ),
    component(
      'kube-controller-manager',
      withKubeconfig('kube-controller-manager', ports.controllerManager),
      '--use-service-account-credentials=true',
      `--service-account-private-key-file=${pki('sa.key')}`,
      `--root-ca-file=${pki('ca.crt')}`,
      `--cluster-signing-cert-file=${pki('ca.crt')}`,
      `--cluster-signing-key-file=${pki('ca.key')}`,
      // Node objects made by hand send no heartbeats; real nodes must be missed soon.
      `--node-monitor-grace-period=${state.nodes.length > 0 ? '16s' : '24h'}`,
    ),
    component('kube-scheduler', withKubeconfig('kube-scheduler', ports.scheduler)),
  ];
}

function flag(name, value) {
  return value === undefined ? [] : [`--${name}=${value}`];
}
