import { spawn } from 'node:child_process';
import { Failure } from '../../../tools/cluster/failure.mjs';

/** Opens `kubectl proxy` on a free port for a kubeconfig; it knows every way to log in. */
export function openProxy(kubeconfig) {
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', ['proxy', '--port=0', `--kubeconfig=${kubeconfig}`], { stdio: ['ignore', 'pipe', 'pipe'] });
    let words = '';
    const onText = text => {
      words += text;
      const address = /Starting to serve on (\S+)/.exec(words)?.[1];
      if (address !== undefined) resolve({ server: `http://${address}`, close: () => child.kill() });
    };
    child.stdout.on('data', onText);
    child.stderr.on('data', onText);
    child.on('error', () =>
      reject(
        new Failure(
          'kubectl is needed to reach the cluster of KUBECONFIG, and it is not on the PATH. Install it, or use --kubernetes to start a cluster here.',
        ),
      ),
    );
    child.on('close', code =>
      reject(
        new Failure(`kubectl proxy ended with exit code ${code} for ${kubeconfig}: ${words.trim().replace(/\.?$/, '.')} Check that "kubectl version" works with it.`),
      ),
    );
    process.on('exit', () => child.kill());
  });
}
