import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

import { load } from 'js-yaml';

import { fixedCredential } from './connection.js';
import type { Connection, Credential, Credentials, Impersonation } from './connection.js';
import { execCredentials } from './exec-credentials.js';
import type { ExecPlugin } from './exec-credentials.js';
import { KubeconfigError } from './kubeconfig-error.js';

export interface KubeconfigOptions {
  /** A file, stronger than the variable KUBECONFIG; absent with no variable, `~/.kube/config`. */
  readonly file?: string | undefined;
  /** Absent: the file's current context. */
  readonly context?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The connection that kubectl would use with the same files, read in the same order: of two entries of one name the first counts. */
export function kubeconfigConnection(options: KubeconfigOptions): Connection {
  const files = filesOf(options);
  const entries = files.flatMap(({ path, mayMiss }) => readEntries(path, mayMiss));
  const shown = files.map(({ path }) => path).join(', ');
  if (entries.length === 0) throw new KubeconfigError(`no kubeconfig at ${shown}. Name one with --kubeconfig, or set KUBECONFIG.`);
  const contextName = options.context ?? entries.map(({ config }) => text(config['current-context'])).find((name) => name !== undefined);
  if (contextName === undefined) throw new KubeconfigError(`no current context in ${shown}. ${contextChoice(entries)}`);
  const context = named(entries, 'contexts', 'context', contextName);
  if (context === undefined) throw new KubeconfigError(`no context '${contextName}' in ${shown}. ${contextChoice(entries)}`);
  const clusterName = text(context.value.cluster) ?? '';
  const cluster = named(entries, 'clusters', 'cluster', clusterName);
  if (cluster === undefined) throw new KubeconfigError(`context '${contextName}' names cluster '${clusterName}', which is not in ${shown}.`);
  const server = text(cluster.value.server);
  if (server === undefined || !/^https?:\/\/./.test(server)) {
    throw new KubeconfigError(`cluster '${clusterName}' in ${cluster.path} has no server address. Give it one: server: https://HOST:PORT`);
  }
  const userName = text(context.value.user);
  const user = userName === undefined ? undefined : named(entries, 'users', 'user', userName);
  if (userName !== undefined && user === undefined) throw new KubeconfigError(`context '${contextName}' names user '${userName}', which is not in ${shown}.`);
  return {
    server: server.replace(/\/+$/, ''),
    origin: `context '${contextName}' of ${context.path}`,
    namespace: text(context.value.namespace) ?? 'default',
    ca: pem(cluster, 'certificate-authority'),
    insecure: cluster.value['insecure-skip-tls-verify'] === true,
    tlsServerName: text(cluster.value['tls-server-name']),
    proxyUrl: text(cluster.value['proxy-url']),
    credentials: user === undefined ? fixedCredential({}) : credentialsOf(user, cluster, server, options.environment),
    impersonate: user === undefined ? undefined : impersonationOf(user),
  };
}

type Fields = Readonly<Record<string, unknown>>;

interface Entry {
  readonly path: string;
  readonly config: Fields;
}

interface Named {
  readonly path: string;
  readonly name: string;
  readonly value: Fields;
}

/** As kubectl: a file that was named must be there, files of a list may be missing. */
function filesOf({ file, environment }: KubeconfigOptions): readonly { readonly path: string; readonly mayMiss: boolean }[] {
  // kubectl takes the default here; from a script that is a cluster that nobody named.
  if (file === '') throw new KubeconfigError('the kubeconfig has an empty path: is a variable unset? Name a file, or leave the option out for the usual one.');
  if (file !== undefined) return [{ path: file, mayMiss: false }];
  const list = (environment.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  if (list.length > 0) return list.map((path) => ({ path, mayMiss: true }));
  return [{ path: join(environment.HOME ?? homedir(), '.kube', 'config'), mayMiss: true }];
}

/** What people meet; other codes say enough as they are. */
const READ_PROBLEMS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'permission denied'],
]);

function readEntries(path: string, mayMiss: boolean): readonly Entry[] {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && mayMiss) return [];
    throw new KubeconfigError(`cannot read kubeconfig ${path}: ${READ_PROBLEMS.get(code ?? '') ?? code ?? String(error)}.`);
  }
  let config: unknown;
  try {
    config = load(content);
  } catch (error) {
    throw new KubeconfigError(`kubeconfig ${path} is no YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}.`);
  }
  if (typeof config !== 'object' || config === null || Array.isArray(config)) throw new KubeconfigError(`kubeconfig ${path} holds no settings. Is it the right file?`);
  return [{ path, config: config as Fields }];
}

function namesOf(entries: readonly Entry[], list: string): readonly string[] {
  return [...new Set(entries.flatMap(({ config }) => listOf(config[list]).map(({ name }) => text(name) ?? '')))].filter((name) => name !== '');
}

function contextChoice(entries: readonly Entry[]): string {
  const names = namesOf(entries, 'contexts');
  return names.length === 0 ? 'It names no context at all: is it a kubeconfig?' : `Choose one: --context ${names.slice(0, 10).join(', --context ')}`;
}

function named(entries: readonly Entry[], list: string, key: string, name: string): Named | undefined {
  for (const { path, config } of entries) {
    const found = listOf(config[list]).find((one) => one.name === name);
    if (found !== undefined) return { path, name, value: fields(found[key]) };
  }
  return undefined;
}

function credentialsOf(user: Named, cluster: Named, server: string, environment: KubeconfigOptions['environment']): Credentials {
  const { value } = user;
  if (value.exec !== undefined && value.exec !== null) return execCredentials(execPlugin(user, cluster, server), environment);
  if (value['auth-provider'] !== undefined) {
    const provider = text(fields(value['auth-provider']).name) ?? '';
    throw new KubeconfigError(`user '${user.name}' in ${user.path} uses the auth provider '${provider}', which is not supported. `
      + 'Use an exec plugin, such as kubelogin for OpenID Connect, or a token.');
  }
  const cert = pem(user, 'client-certificate');
  const key = pem(user, 'client-key');
  if ((cert === undefined) !== (key === undefined)) {
    throw new KubeconfigError(`user '${user.name}' in ${user.path} has a client ${cert === undefined ? 'key without a certificate' : 'certificate without a key'}.`);
  }
  const tokenFile = text(value.tokenFile);
  const username = text(value.username);
  const fixed: Credential = {
    cert,
    key,
    token: text(value.token),
    basic: username === undefined ? undefined : { username, password: text(value.password) ?? '' },
  };
  return tokenFile === undefined ? fixedCredential(fixed) : tokenFileCredentials(absolute(user.path, tokenFile), fixed);
}

/** Read anew each time: kubelet and sidecars replace such files long before a token ends. */
export function tokenFileCredentials(path: string, rest: Credential = {}): Credentials {
  return {
    current: async () => {
      try {
        return { ...rest, token: readFileSync(path, 'utf8').trim() };
      } catch (error) {
        throw new KubeconfigError(`cannot read the token file ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
      }
    },
    refused: () => undefined,
  };
}

function execPlugin(user: Named, cluster: Named, server: string): ExecPlugin {
  const exec = fields(user.value.exec);
  const command = text(exec.command);
  if (command === undefined) throw new KubeconfigError(`user '${user.name}' in ${user.path} has an exec plugin without a command.`);
  const apiVersion = text(exec.apiVersion) ?? '';
  if (!/^client\.authentication\.k8s\.io\/v1(?:beta1)?$/.test(apiVersion)) {
    throw new KubeconfigError(`the exec plugin of user '${user.name}' in ${user.path} has apiVersion '${apiVersion}'. `
      + 'Use client.authentication.k8s.io/v1 or v1beta1.');
  }
  const ca = pem(cluster, 'certificate-authority');
  return {
    // A path with a folder in it is relative to the file; a bare name is looked up in PATH.
    command: command.includes('/') ? absolute(user.path, command) : command,
    args: listOfTexts(exec.args),
    env: Object.fromEntries(listOf(exec.env).map(({ name, value }) => [text(name) ?? '', text(value) ?? ''])),
    apiVersion,
    installHint: text(exec.installHint),
    cluster: exec.provideClusterInfo !== true ? undefined : {
      server,
      ...(cluster.value['tls-server-name'] === undefined ? {} : { 'tls-server-name': cluster.value['tls-server-name'] }),
      ...(cluster.value['insecure-skip-tls-verify'] === true ? { 'insecure-skip-tls-verify': true } : {}),
      ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
      ...(cluster.value['proxy-url'] === undefined ? {} : { 'proxy-url': cluster.value['proxy-url'] }),
      config: listOf(cluster.value.extensions).find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension ?? null,
    },
  };
}

function impersonationOf({ value }: Named): Impersonation | undefined {
  const user = text(value.as);
  if (user === undefined) return undefined;
  const uid = text(value['as-uid']);
  const extra = Object.entries(fields(value['as-user-extra'])).map(([key, values]): [string, readonly string[]] => [key, listOfTexts(values)]);
  return { user, groups: listOfTexts(value['as-groups']), ...(uid === undefined ? {} : { uid }), extra: Object.fromEntries(extra) };
}

/** `key-data` holds base64, `key` a path; the data are stronger, as in kubectl. */
function pem({ path, name, value }: Named, key: string): string | undefined {
  const data = text(value[`${key}-data`]);
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  const file = text(value[key]);
  if (file === undefined) return undefined;
  try {
    return readFileSync(absolute(path, file), 'utf8');
  } catch (error) {
    throw new KubeconfigError(`cannot read ${key} of '${name}' in ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)} ${absolute(path, file)}.`);
  }
}

function absolute(kubeconfig: string, path: string): string {
  return resolve(dirname(kubeconfig), path);
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Fields : {};
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

function listOfTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
