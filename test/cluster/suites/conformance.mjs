// What users run against their own cluster, `kubectl-dra conformance`; on a cluster of ours also the contracts that make nodes and devices.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { adminKubeconfig } from '../../../tools/cluster/admin.mjs';
import { Failure } from '../../../tools/cluster/failure.mjs';
import { fault } from '../../../tools/cluster/faults.mjs';
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { waitFor } from '../../../tools/cluster/wait.mjs';

const VERDICTS = { 'kept': 'kept', 'broken': 'broken', 'not-applicable': 'not applicable', 'not-tried': 'not tried' };

/** Runs the command once and hands over its verdicts. */
export async function tryAll(cluster) {
  if (cluster.own) await forgetEvents(cluster);
  const args = cluster.own ? ['--kubeconfig', adminKubeconfig(cluster.state), '--lab'] : ['--kubeconfig', cluster.kubeconfig];
  const { code, stdout, stderr } = await kubectlDra('conformance', '-o', 'json', ...args);
  if (code === 2 && stdout === '') throw new Failure(`kubectl-dra conformance could not be run, is it compiled (npm run compile)? ${stderr.trim()}`);
  const { results, endedEarly, stayed } = JSON.parse(stdout);
  const told = results.map(({ id, title, verdict, because, notes, evidence, seconds }) => ({
    id,
    text: title,
    verdict: VERDICTS[verdict],
    detail: [...because, ...notes, ...(verdict === 'broken' ? evidence.slice(-3).map(exchange) : [])].join('\n'),
    seconds,
  }));
  const faults = [...(endedEarly === undefined ? [] : [`ended early: ${endedEarly}`]), ...stayed];
  const whole = { id: 'whole-run', text: 'the run comes to its end and leaves nothing behind', seconds: 0 };
  return [...told, { ...whole, verdict: faults.length === 0 ? 'kept' : 'broken', detail: faults.join('\n') }];
}

/** An API server that began with an empty store remembers every event since; one that starts again, as all do, only those that follow. */
async function forgetEvents({ state, api }) {
  await fault(state, 'restart', 'kube-apiserver');
  await waitFor(
    'the API server to be ready again',
    async () => {
      const { status, body } = await api.request('GET', '/readyz');
      return status === 200 ? { done: true } : body;
    },
    { seconds: 120 },
  );
}

function exchange({ request, sent, status, answer }) {
  return [request, ...(sent === undefined ? [] : [`> ${sent}`]), `< ${status} ${answer}`].join('\n');
}

function kubectlDra(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, 'driver', 'bin', 'kubectl-dra.js'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', text => (texts[stream] += text));
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...texts }));
  });
}
