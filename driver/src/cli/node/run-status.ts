import { request } from 'node:http';

import { dumpFindings, dumpText } from './dump-text.js';
import { readRecords, recordsText } from './records-text.js';
import { reportFindings, reportsText } from './reports-text.js';
import { KubeClient } from '../../kube/kube-client.js';
import type { AgentDump } from '../../node/agent-dump.js';
import { DEVICE_NODE_REPORTS } from '../../node/witness/report-writer.js';
import { clusterConnection } from '../cluster-connection.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import type { Io } from '../io.js';
import type { NodeStatusOptions } from '../node.js';

/** Prints what an agent does, from its report, from itself, or from its records. */
export async function runStatus(node: string | undefined, options: NodeStatusOptions, io: Io): Promise<ExitCode> {
  const { status, text, findings } = node !== undefined
    ? await fromCluster(node, options)
    : options.dataFolder !== undefined
      ? await fromRecords(options.dataFolder)
      : await fromAgent(options.address);
  io.out(options.output === 'json' ? `${JSON.stringify(status, null, 2)}\n` : text);
  if (findings.length === 0) return 0;
  if (options.output === 'text') io.out(`\nNot as it should be:\n${findings.map((finding) => `  ${finding}\n`).join('')}`);
  return 1;
}

interface Status {
  readonly status: unknown;
  readonly text: string;
  readonly findings: readonly string[];
}

async function fromCluster(node: string, options: NodeStatusOptions): Promise<Status> {
  const client = KubeClient.of(clusterConnection(options));
  try {
    const { items } = await client.list(DEVICE_NODE_REPORTS);
    const reports = items.filter(({ spec }) => (spec as { readonly nodeName?: string } | undefined)?.nodeName === node);
    if (reports.length === 0) {
      throw new UsageError(`There is no DeviceNodeReport of Node '${node}' at ${client.connection.server}. Does an agent run there? Look for its pod.`);
    }
    const now = Date.now();
    return { status: reports, text: reportsText(reports, now), findings: reportFindings(reports, now) };
  } finally {
    await client.close();
  }
}

async function fromRecords(folder: string): Promise<Status> {
  const records = await readRecords(folder);
  return { status: records, text: recordsText(records), findings: records.findings };
}

async function fromAgent(address: string): Promise<Status> {
  const dump = JSON.parse(await ask(address)) as AgentDump;
  return { status: dump, text: dumpText(dump), findings: dumpFindings(dump) };
}

function ask(address: string): Promise<string> {
  const { hostname, port } = placeOf(address);
  const nobody = (reason: string) => new UsageError(`No agent answers at ${address} (${reason}). Look from within its pod or through kubectl port-forward, or name a Node or --data-folder.`);
  return new Promise((resolve, reject) => {
    const call = request({ hostname, port, path: '/debug/dump', timeout: TIMEOUT, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
        if (text.length > MAX_DUMP) response.destroy(new Error('the answer has no end'));
      });
      response.on('error', (error) => reject(nobody(error.message)));
      response.on('end', () => {
        if (response.statusCode === 200 && text.startsWith('{')) resolve(text);
        else reject(nobody(text.trim().slice(0, 200) || `status ${response.statusCode}`));
      });
    });
    call.on('timeout', () => call.destroy(new Error('it says nothing')));
    call.on('error', (error: NodeJS.ErrnoException) => reject(nobody(error.code ?? error.message)));
    call.end();
  });
}

function placeOf(address: string): { readonly hostname: string; readonly port: string } {
  const [, hostname, port] = /^(?:http:\/\/)?(\[[^\]]+\]|[^:/]+):(\d{1,5})\/?$/.exec(address) ?? [];
  if (hostname === undefined || port === undefined) throw new UsageError(`--address must be HOST:PORT, got '${address}'. Write for example 127.0.0.1:9464.`);
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port };
}

const TIMEOUT = 10_000;
const MAX_DUMP = 64 * 1024 * 1024;
