import type { LogLevel } from 'cdk8s-dra/model';
import { destination, pino, stdTimeFunctions } from 'pino';
import type { DestinationStream, Logger } from 'pino';

export type AgentLog = Logger;

export interface AgentLogOptions {
  readonly level: LogLevel;
  readonly driver: string;
  readonly node: string;
  /** Standard error, unless given. */
  readonly to?: DestinationStream;
}

/**
 * The log: a line of JSON for each thing that happened, written at once, so that nothing is missing after a crash.
 *
 * Lines carry names, codes and times, and never parameters of a claim, which belong to its tenant.
 */
export function agentLog({ level, driver, node, to = destination({ fd: 2, sync: true }) }: AgentLogOptions): AgentLog {
  return pino({
    level,
    base: { driver, node },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  }, to);
}
