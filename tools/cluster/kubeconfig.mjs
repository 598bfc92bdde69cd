import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Writes a kubeconfig with everything inside, readable by its owner only.
 *
 * @param {string} file
 * @param {{ cluster: string, server: string, authority: string, user: { name: string, certificate?: string, key?: string, token?: string } }} access
 * `authority`, `certificate` and `key` are files
 */
export function writeKubeconfig(file, { cluster, server, authority, user }) {
  const credentials =
    user.token !== undefined ? { token: user.token } : { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) };
  const context = `${user.name}@${cluster}`;
  // JSON is YAML, and each client reads it.
  const config = {
    'apiVersion': 'v1',
    'kind': 'Config',
    'clusters': [{ name: cluster, cluster: { server, 'certificate-authority-data': base64(authority) } }],
    'users': [{ name: user.name, user: credentials }],
    'contexts': [{ name: context, context: { cluster, user: user.name } }],
    'current-context': context,
  };
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return file;
}

function base64(file) {
  return readFileSync(file).toString('base64');
}
