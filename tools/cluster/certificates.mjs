// Keys and certificates of one cluster: a CA for everybody, another for the aggregation layer, a key pair for service account tokens.
import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Failure, Lacking } from './failure.mjs';

const run = promisify(execFile);

/** Makes all that a control plane needs in a folder; what is there already stays. */
export async function makeCertificates(folder, serverNames) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (!existsSync(join(folder, 'sa.key'))) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
    writeFileSync(join(folder, 'sa.key'), privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
    writeFileSync(join(folder, 'sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  }
  await Promise.all(['ca', 'front-proxy-ca'].map(name => authority(folder, name)));
  await Promise.all([
    serving(folder, 'kube-apiserver', serverNames),
    clientCertificate(folder, 'admin', { user: 'admin', groups: ['system:masters'] }),
    clientCertificate(folder, 'kube-scheduler', { user: 'system:kube-scheduler' }),
    clientCertificate(folder, 'kube-controller-manager', { user: 'system:kube-controller-manager' }),
    clientCertificate(folder, 'front-proxy-client', { user: 'front-proxy-client', authority: 'front-proxy-ca' }),
  ]);
}

/** A client certificate `<name>.crt` with its key: the user is its common name, the groups are its organizations. */
export async function clientCertificate(folder, name, { user, groups = [], authority: issuer = 'ca' }) {
  await leaf(folder, name, issuer, [...groups.map(group => ['O', group]), ['CN', user]], ['extendedKeyUsage=clientAuth']);
}

async function serving(folder, name, { addresses, names }) {
  const alternatives = [...addresses.map(address => `IP:${address}`), ...names.map(host => `DNS:${host}`)].join(',');
  await leaf(folder, name, 'ca', [['CN', name]], ['extendedKeyUsage=serverAuth', `subjectAltName=${alternatives}`]);
}

async function authority(folder, name) {
  await request(
    folder,
    name,
    [['CN', name]],
    ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,digitalSignature,keyEncipherment,keyCertSign'],
  );
}

async function leaf(folder, name, issuer, subject, extensions) {
  await request(
    folder,
    name,
    subject,
    ['basicConstraints=critical,CA:FALSE', 'keyUsage=critical,digitalSignature', ...extensions],
    ['-CA', join(folder, `${issuer}.crt`), '-CAkey', join(folder, `${issuer}.key`)],
  );
}

async function request(folder, name, subject, extensions, more = []) {
  const certificate = join(folder, `${name}.crt`);
  if (existsSync(certificate)) return;
  // The system's own settings would add extensions of a CA to every certificate.
  const config = join(folder, 'openssl.cnf');
  if (!existsSync(config)) writeFileSync(config, '[req]\ndistinguished_name=dn\n[dn]\n');
  const subjectText = subject.map(([field, value]) => `/${field}=${value.replace(/[\\/+=]/g, '\\$&')}`).join('');
  try {
    await run('openssl', [
      'req',
      '-x509',
      '-config',
      config,
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '365',
      '-keyout',
      join(folder, `${name}.key`),
      '-out',
      certificate,
      '-subj',
      subjectText,
      ...extensions.flatMap(text => ['-addext', text]),
      ...more,
    ]);
  } catch (error) {
    if (error.code === 'ENOENT')
      throw new Lacking('openssl 3 is needed for certificates, and it is not installed. On Debian or Ubuntu: apt-get install openssl.');
    throw new Failure(
      `openssl could not make the certificate of ${name}; version 3 or newer is needed. It says: ${String(error.stderr ?? error.message).trim()}`,
    );
  }
}
