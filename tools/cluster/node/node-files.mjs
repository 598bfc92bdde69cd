// Settings of a node's containerd, network plugin and kubelet.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountCommands } from './file-systems.mjs';
import { systemProgram } from '../system-program.mjs';
import { IMAGES } from './node-programs.mjs';

/** Paths inside the node's mount namespace: the usual ones, so that drivers' manifests work unchanged. */
export const INSIDE = {
  containerdSocket: '/run/containerd/containerd.sock',
  cdi: '/var/run/cdi',
  kubelet: '/var/lib/kubelet',
  podLogs: '/var/log/pods',
};

/** Folders of the node on this machine. */
export function nodeFolder(state, node) {
  return join(state.folder, node.name);
}

/** Writes all settings. */
export function writeNodeFiles(state, node) {
  const folder = nodeFolder(state, node);
  for (const name of ['containerd', 'cni', 'manifests', 'volume-plugins', 'lib/upper', 'lib/work', 'log/upper', 'log/work'])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'setup.sh'), setupScript(folder));
  writeFileSync(join(folder, 'containerd.toml'), containerdSettings(folder, node));
  writeFileSync(join(folder, 'cni', '10-ptp.conflist'), JSON.stringify(networkSettings(state, node)));
  writeFileSync(join(folder, 'kubelet.json'), JSON.stringify(kubeletSettings(state, node, folder), null, 2));
  writeFileSync(join(folder, 'resolv.conf'), '');
}

/** Settings of the whole machine that kubelet would change; it is shown files that hold the wanted values already. */
const KUBELET_SYSCTLS = {
  'kernel/keys/root_maxbytes': 25_000_000,
  'kernel/keys/root_maxkeys': 1_000_000,
  'kernel/panic': 10,
  'kernel/panic_on_oops': 1,
  'vm/overcommit_memory': 1,
};

/** Runs in a new mount namespace: the node's own folders at the usual places, then it waits, to keep the namespace. */
function setupScript(folder) {
  const overlay = (place, name) =>
    `mount -t overlay overlay -o lowerdir=${place},upperdir=${folder}/${name}/upper,workdir=${folder}/${name}/work ${place}`;
  const hidden = Object.entries(KUBELET_SYSCTLS).map(([path, value]) => {
    const file = `${folder}/sysctl/${path.replaceAll('/', '.')}`;
    return `echo ${value} > ${file} && mount --bind ${file} /proc/sys/${path}`;
  });
  return `set -e
mount --make-rshared /
${mountCommands('/run')}
${overlay('/var/lib', 'lib')}
${overlay('/var/log', 'log')}
${mountCommands('/var/lib/kubelet')}
${mountCommands('/var/lib/kubelet/plugins')}
mkdir -p /var/lib/cni /var/log/pods /var/log/containers /run/cdi /run/containerd
mkdir -p ${folder}/sysctl
${hidden.join('\n')}
touch ${folder}/mounted
exec sleep infinity
`;
}

function containerdSettings(folder, node) {
  return `version = 3
root = '${folder}/containerd'
state = '/run/containerd'
[grpc]
  address = '${INSIDE.containerdSocket}'
[plugins.'io.containerd.cri.v1.images']
  snapshotter = 'overlayfs'
  [plugins.'io.containerd.cri.v1.images'.pinned_images]
    sandbox = '${IMAGES.pause}'
[plugins.'io.containerd.cri.v1.runtime']
  cdi_spec_dirs = ['${INSIDE.cdi}', '/etc/cdi']
  netns_mounts_under_state_dir = true
  # Without CAP_SYS_RESOURCE no sandbox would start: its score cannot be lowered.
  restrict_oom_score_adj = true
  [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc]
    runtime_type = 'io.containerd.runc.v2'
    [plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc.options]
      BinaryName = '${systemProgram('runc')}'
      Root = '/run/runc'
      SystemdCgroup = false
  [plugins.'io.containerd.cri.v1.runtime'.cni]
    bin_dirs = ['${node.programs}/cni']
    conf_dir = '${folder}/cni'
    use_internal_loopback = true
[plugins.'io.containerd.nri.v1.nri']
  disable = true
`;
}

function networkSettings(state, { podSubnet }) {
  const ipam = { type: 'host-local', dataDir: '/var/lib/cni/networks', ranges: [[{ subnet: podSubnet }]], routes: [{ dst: '0.0.0.0/0' }] };
  return { cniVersion: '1.0.0', name: `dra-${state.name}`, plugins: [{ type: 'ptp', ipMasq: false, ipam }] };
}

function kubeletSettings(state, node, folder) {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    failCgroupV1: false,
    failSwapOn: false,
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${node.cgroup}`,
    cgroupsPerQOS: true,
    enforceNodeAllocatable: ['pods'],
    containerRuntimeEndpoint: `unix://${INSIDE.containerdSocket}`,
    staticPodPath: join(folder, 'manifests'),
    podLogsDir: INSIDE.podLogs,
    address: node.address,
    readOnlyPort: 0,
    authentication: { anonymous: { enabled: false }, webhook: { enabled: true }, x509: { clientCAFile: join(state.folder, 'pki', 'ca.crt') } },
    authorization: { mode: 'Webhook' },
    resolvConf: join(folder, 'resolv.conf'),
    volumePluginDir: join(folder, 'volume-plugins'),
    oomScoreAdj: 0,
    maxOpenFiles: openFilesLimit(),
    // A full disk of the machine must not evict test pods or collect their images.
    imageGCHighThresholdPercent: 100,
    imageGCLowThresholdPercent: 99,
    evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'nodefs.inodesFree': '1%', 'imagefs.available': '1%' },
    makeIPTablesUtilChains: false,
    syncFrequency: '10s',
    nodeStatusUpdateFrequency: '4s',
    nodeStatusReportFrequency: '10s',
    // A lost node shows within 20 s.
    nodeLeaseDurationSeconds: 8,
    serializeImagePulls: false,
    featureGates: Object.fromEntries(
      (state.featureGates ?? '')
        .split(',')
        .filter(pair => pair !== '')
        .map(pair => pair.split('='))
        .map(([gate, value]) => [gate, value === 'true']),
    ),
  };
}

function openFilesLimit() {
  const limit = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }));
  return Number.isInteger(limit) ? limit : 1_000_000;
}
