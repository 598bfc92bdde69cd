import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiClient } from './api-client.mjs';

/** A client of the cluster's administrator. */
export function adminClient(state) {
  const pki = name => readFileSync(join(state.folder, 'pki', name), 'utf8');
  return new ApiClient({ server: state.server, ca: pki('ca.crt'), cert: pki('admin.crt'), key: pki('admin.key') });
}

/** The administrator's kubeconfig. */
export function adminKubeconfig(state) {
  return join(state.folder, 'kubeconfig');
}
