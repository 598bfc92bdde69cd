import { request } from 'node:http';

import { dumpFindings, dumpText } from './dump-text.js';
import { readRecords, recordsText } from './records-text.js';
import { reportFindings, reportsText } from './reports-text.js';
import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { KubeObject } from '../../kube/object.js';
import type { AgentDump } from '../../node/agent-dump.js';
import { DEVICE_NODE_REPORTS } from '../../node/witness/report-writer.js';
import { withCluster } from '../collect/read-cluster.js';
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

function fromCluster(node: string, options: NodeStatusOptions): Promise<Status> {
  return withCluster(options, async (client) => {
    const items = await reportsOf(client);
    const reports = items.filter(({ spec }) => (spec as { readonly nodeName?: string } | undefined)?.nodeName === node);
    if (reports.length === 0) {
      throw new UsageError(`There is no DeviceNodeReport of Node '${node}' at ${client.connection.server}. Does an agent run there? Look for its pod.`);
    }
    const now = Date.now();
    return { status: reports, text: reportsText(reports, now), findings: reportFindings(reports, now) };
  });
}

async function reportsOf(client: KubeClient): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(DEVICE_NODE_REPORTS)).items;
  } catch (error) {
    if (!isApiError(error) || error.status !== 404) throw error;
    throw new UsageError(`${client.connection.server} does not know DeviceNodeReport. Is it the right cluster? Its CRD comes with DeviceNodeReportCrd, its reports with an agent.`);
  }
}

async function fromRecords(folder: string): Promise<Status> {
  const records = await readRecords(folder);
  return { status: records, text: recordsText(records), findings: records.findings };
}

async function fromAgent(address: string): Promise<Status> {
  const dump = dumpOf(await ask(address), address);
  return { status: dump, text: dumpText(dump), findings: dumpFindings(dump) };
}

/** Whoever else answers there with JSON is no agent. */
function dumpOf(text: string, address: string): AgentDump {
  let dump: Partial<AgentDump> = {};
  try {
    dump = JSON.parse(text) as Partial<AgentDump>;
  } catch {
    // Cut short; said below.
  }
  if (dump.standing === undefined || dump.configuration === undefined) {
    throw new UsageError(`What answers at ${address} is no node agent. Give http.address and http.port of one, as its configuration has them.`);
  }
  return dump as AgentDump;
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
  if (hostname === undefined || port === undefined || Number(port) > 65_535) throw new UsageError(`--address must be HOST:PORT, got '${address}'. Write for example 127.0.0.1:9464.`);
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port };
}

const TIMEOUT = 10_000;
const MAX_DUMP = 64 * 1024 * 1024;
