import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Connection } from './connection.js';
import { tokenFileCredentials } from './kubeconfig.js';

const MOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The connection of the pod that this process runs in, from the files and variables that kubelet gives it; undefined outside a pod. */
export function inClusterConnection(environment: Readonly<Record<string, string | undefined>>, mount = MOUNT): Connection | undefined {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  const token = join(mount, 'token');
  if (host === undefined || host === '' || !existsSync(token)) return undefined;
  const read = (name: string): string | undefined => (existsSync(join(mount, name)) ? readFileSync(join(mount, name), 'utf8') : undefined);
  return {
    server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    origin: 'the service account of this pod',
    namespace: read('namespace')?.trim() ?? 'default',
    ca: read('ca.crt'),
    credentials: tokenFileCredentials(token),
  };
}
