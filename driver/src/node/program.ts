import { assembleAgent } from './assemble-agent.js';
import { agentIdentity } from './config/agent-identity.js';
import { ConfigurationError, readConfiguration } from './config/read-configuration.js';
import { SocketPathError } from './kubelet/socket-paths.js';
import { agentLog } from './observe/agent-log.js';
import type { AgentLog } from './observe/agent-log.js';
import { NodeFailure } from '../devices/node-failure.js';
import type { Connection } from '../kube/connection.js';
import { inClusterConnection } from '../kube/in-cluster.js';
import { KubeClient } from '../kube/kube-client.js';
import { KubeconfigError } from '../kube/kubeconfig-error.js';
import { kubeconfigConnection } from '../kube/kubeconfig.js';

export interface AgentOptions {
  readonly config: string;
  readonly node?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

export interface AgentSurroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For words to a person before the log begins. */
  readonly say: (text: string) => void;
  /** Ends the agent. */
  readonly signal: AbortSignal;
}

/** 0: ended when told to; 1: cannot go on, to be started again; 2: the configuration or the surroundings are wrong. */
export type AgentExit = 0 | 1 | 2;

/** Runs the agent of this node until the signal. */
export async function runAgent(options: AgentOptions, { environment, say, signal }: AgentSurroundings): Promise<AgentExit> {
  let client: KubeClient | undefined;
  let log: AgentLog | undefined;
  try {
    const configuration = readConfiguration(options.config);
    const identity = agentIdentity(options, environment);
    client = KubeClient.of(agentConnection(options, environment));
    log = agentLog({ level: configuration.log.level, driver: configuration.driverName, node: identity.nodeName });
    const agent = assembleAgent({ configuration, identity, client, log });
    log.info({ config: options.config, roles: configuration.roles, server: client.connection.server }, 'the agent starts');
    await agent.run(signal);
    log.info('the agent has ended');
    return 0;
  } catch (error) {
    if (isWrongSetting(error)) {
      say(`error: ${error.message}\n`);
      return 2;
    }
    if (log === undefined) throw error;
    const { code } = error as { readonly code?: unknown };
    log.fatal({ ...(typeof code === 'string' ? { code } : {}), stack: error instanceof Error ? error.stack : undefined },
      `the agent ends: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    await client?.close();
  }
}

/** A named kubeconfig, else the service account of the pod, else kubectl's. */
export function agentConnection({ kubeconfig, context }: Pick<AgentOptions, 'kubeconfig' | 'context'>, environment: AgentSurroundings['environment']): Connection {
  const inCluster = kubeconfig === undefined && context === undefined ? inClusterConnection(environment) : undefined;
  return inCluster ?? kubeconfigConnection({ file: kubeconfig, context, environment });
}

/** Another start finds the same, so nothing is gained by one. */
export function isWrongSetting(error: unknown): error is Error {
  return error instanceof ConfigurationError || error instanceof KubeconfigError || error instanceof SocketPathError
    || (error instanceof NodeFailure && error.failureClass === 'terminal');
}
