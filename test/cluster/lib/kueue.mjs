// The real Kueue beside a control plane: its controller as a process of this machine, its webhooks reached through localhost.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { componentProgram } from '../../../tools/cluster/component-program.mjs';
import { freePorts } from '../../../tools/cluster/ports.mjs';
import { lastLines, startProcess, stopProcess } from '../../../tools/cluster/processes.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';

const NAMESPACE = 'kueue-system';
const SERVICE = 'kueue-webhook-service';
const SECRET = 'kueue-webhook-server-cert';

/**
 * Installs Kueue and runs its controller until `stop`; `configuration` holds the gates and mappings that count devices.
 *
 * @param {import('./cluster.mjs').TestCluster} cluster
 * @param {{ cache: string, configuration: object, say?: (text: string) => void }} options
 */
export async function startKueue(cluster, { cache, configuration: counting, say }) {
  const { program, source } = await componentProgram(cache, 'kueue', { say });
  const [webhook, health] = await freePorts(2);
  await install(cluster, source, webhook);
  const folder = join(cluster.state.folder, 'kueue');
  const certificates = join(folder, 'certificates');
  mkdirSync(certificates, { recursive: true });
  const configuration = join(folder, 'configuration.yaml');
  writeFileSync(configuration, stringify(configurationOf({ webhook, health, certificates, counting })));
  const log = join(folder, 'log');
  const running = startProcess(cluster.state.folder, {
    name: 'kueue',
    command: [program, `--config=${configuration}`, `--kubeconfig=${adminKubeconfig(cluster.state)}`, '--zap-log-level=2'],
    log,
  }, { owned: true });
  try {
    await untilCertified(cluster, certificates, log);
    await untilItAnswers(cluster, log);
  } catch (error) {
    await stopProcess(running);
    throw error;
  }
  return { stop: () => stopProcess(running) };
}

function configurationOf({ webhook, health, certificates, counting }) {
  return {
    apiVersion: 'config.kueue.x-k8s.io/v1beta2',
    kind: 'Configuration',
    namespace: NAMESPACE,
    health: { healthProbeBindAddress: `127.0.0.1:${health}` },
    metrics: { bindAddress: '0' },
    webhook: { port: webhook, host: '127.0.0.1', certDir: certificates },
    leaderElection: { leaderElect: false },
    // Without it the metrics want certificates at a fixed place.
    internalCertManagement: { enable: true, webhookServiceName: SERVICE, webhookSecretName: SECRET },
    integrations: { frameworks: ['batch/job'] },
    // That server wants the folder /visibility.
    featureGates: { ...counting.featureGates, VisibilityOnDemand: false },
    resources: counting.resources,
  };
}

/** Everything of Kueue's own installation but its Deployment, with webhooks that lead to a port of this machine. */
async function install(cluster, source, port) {
  const { code, stdout, stderr } = await cluster.kubectl(['kustomize', join(source, 'config', 'default')]);
  if (code !== 0) throw new Error(`Kueue's installation could not be rendered: ${stderr}`);
  const objects = parseAllDocuments(stdout).map(document => document.toJS()).filter(object => object !== null && !['Deployment', 'APIService'].includes(object.kind));
  for (const object of objects) redirect(object, port);
  const applied = await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input: objects.map(object => JSON.stringify(object)).join('\n---\n') });
  if (applied.code !== 0) throw new Error(`Kueue could not be installed: ${applied.stderr}`);
}

function redirect(object, port) {
  if (object.kind === 'Service' && object.metadata.name === SERVICE) object.spec = { type: 'ExternalName', externalName: 'localhost', ports: [{ port: 443 }] };
  for (const { clientConfig } of object.webhooks ?? []) clientConfig.service.port = port;
  const conversion = object.spec?.conversion?.webhook?.clientConfig?.service;
  if (conversion !== undefined) conversion.port = port;
}

/** Kubelet would mount the secret that Kueue fills. */
async function untilCertified({ api }, folder, log) {
  await waitFor('the certificate of Kueue', async () => {
    const { status, body } = await api.request('GET', `/api/v1/namespaces/${NAMESPACE}/secrets/${SECRET}`);
    const data = body?.data ?? {};
    if (status !== 200 || data['tls.crt'] === undefined) return lastLines(log, 3);
    for (const name of ['ca.crt', 'tls.crt', 'tls.key']) if (data[name] !== undefined) writeFileSync(join(folder, name), Buffer.from(data[name], 'base64'));
    return { done: true };
  }, { seconds: 60 });
}

async function untilItAnswers({ api }, log) {
  const probe = { apiVersion: 'kueue.x-k8s.io/v1beta2', kind: 'ClusterQueue', metadata: { name: 'probe' }, spec: { namespaceSelector: {} } };
  await waitFor('the webhooks of Kueue to answer', async () => {
    const { status, body } = await api.request('POST', '/apis/kueue.x-k8s.io/v1beta2/clusterqueues?dryRun=All', probe);
    return status < 300 ? { done: true } : `${JSON.stringify(body).slice(0, 300)}\n${lastLines(log, 3)}`;
  }, { seconds: 90 });
}
