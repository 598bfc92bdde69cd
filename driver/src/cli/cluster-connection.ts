import { UsageError } from './command.js';
import type { Connection } from '../kube/connection.js';
import { inClusterConnection } from '../kube/in-cluster.js';
import { KubeconfigError } from '../kube/kubeconfig-error.js';
import { kubeconfigConnection } from '../kube/kubeconfig.js';

/** Which cluster a command talks to, as its options say. */
export interface ClusterOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** As kubectl, and in a pod without a kubeconfig its service account. */
export function clusterConnection({ kubeconfig, context }: ClusterOptions): Connection {
  if (kubeconfig === undefined && context === undefined && (process.env.KUBECONFIG ?? '') === '') {
    const connection = inClusterConnection(process.env);
    if (connection !== undefined) return connection;
  }
  try {
    return kubeconfigConnection({ file: kubeconfig, context, environment: process.env });
  } catch (error) {
    if (error instanceof KubeconfigError) throw new UsageError(error.message);
    throw error;
  }
}
