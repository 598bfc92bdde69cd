import { execFile } from 'node:child_process';
import type { ExecFileException } from 'node:child_process';

import type { Credential, Credentials } from './connection.js';
import { KubeconfigError } from './kubeconfig-error.js';

/** A program that prints a credential, as a kubeconfig names it. */
export interface ExecPlugin {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  /** Printed when the program is missing. */
  readonly installHint?: string | undefined;
  /** What the program is told about the cluster; absent unless it asks. */
  readonly cluster?: unknown;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Credentials from a plugin: it runs when first needed, when what it gave is about to end, and after a refusal. */
export function execCredentials(plugin: ExecPlugin, environment: Environment, now: () => number = Date.now): Credentials {
  let given: { readonly credential: Promise<Credential>; expires: number } | undefined;
  return {
    current: () => {
      if (given === undefined || given.expires <= now()) {
        const answer = runPlugin(plugin, environment);
        const entry = { credential: answer.then(({ credential }) => credential), expires: Infinity };
        given = entry;
        answer.then(({ expires }) => { entry.expires = expires - EARLY; }, () => { given = undefined; });
      }
      return given.credential;
    },
    refused: () => { given = undefined; },
  };
}

/** A credential is renewed so long before its end: clocks differ and requests take time. */
const EARLY = 10_000;
/** Long enough for a login in a browser. */
const PLUGIN_TIMEOUT = 120_000;
/** Bytes. */
const MAX_OUTPUT = 1024 * 1024;

interface PluginAnswer {
  readonly credential: Credential;
  /** Milliseconds since 1970; without an end, Infinity. */
  readonly expires: number;
}

async function runPlugin(plugin: ExecPlugin, environment: Environment): Promise<PluginAnswer> {
  const info = { kind: 'ExecCredential', apiVersion: plugin.apiVersion, spec: { interactive: false, ...(plugin.cluster === undefined ? {} : { cluster: plugin.cluster }) } };
  const env = { ...environment, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const output = await new Promise<string>((resolve, reject) => {
    execFile(plugin.command, [...plugin.args], { env, timeout: PLUGIN_TIMEOUT, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new KubeconfigError(failureText(plugin, error, stderr)));
    }).stdin?.end();
  });
  return pluginAnswer(plugin, output);
}

function failureText({ command, installHint }: ExecPlugin, error: ExecFileException, stderr: string): string {
  if (error.code === 'ENOENT') {
    return `the credential plugin ${command} is not installed.${installHint === undefined ? ' Install it, or use a context with a token or certificate.' : ` ${installHint.trim()}`}`;
  }
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim().slice(0, 500)}`;
  return `the credential plugin ${command} ${error.killed === true ? 'did not answer in two minutes' : `failed with code ${String(error.code)}`}${said}`;
}

function pluginAnswer({ command, apiVersion }: ExecPlugin, output: string): PluginAnswer {
  let answer: { readonly apiVersion?: unknown; readonly status?: Readonly<Record<string, unknown>> } | null;
  try {
    answer = JSON.parse(output) as typeof answer;
  } catch {
    throw new KubeconfigError(`the credential plugin ${command} printed no JSON. Run it by hand to see what it says.`);
  }
  const text = (key: string): string | undefined => {
    const value = answer?.status?.[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  if (answer?.apiVersion !== apiVersion) {
    throw new KubeconfigError(`the credential plugin ${command} answered in ${String(answer?.apiVersion)}, the kubeconfig asks for ${apiVersion}. Make both the same.`);
  }
  const credential = { token: text('token'), cert: text('clientCertificateData'), key: text('clientKeyData') };
  if (credential.token === undefined && credential.cert === undefined) throw new KubeconfigError(`the credential plugin ${command} gave neither a token nor a certificate.`);
  const ends = Date.parse(text('expirationTimestamp') ?? '');
  return { credential, expires: Number.isNaN(ends) ? Infinity : ends };
}
