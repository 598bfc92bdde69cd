import { Yaml } from 'cdk8s';
import type { NodeAgentProps } from './node-agent-props';

/** Folders and port of an agent, with defaults filled in. */
export interface AgentPlaces {
  readonly kubeletRoot: string;
  readonly cdiRoot: string;
  readonly metricsPort: number;
}

export function agentPlaces({ kubeletRoot = '/var/lib/kubelet', cdiRoot = '/var/run/cdi', metricsPort = 9464 }: NodeAgentProps): AgentPlaces {
  return { kubeletRoot: withoutTrailingSlash(kubeletRoot), cdiRoot: withoutTrailingSlash(cdiRoot), metricsPort };
}

/** Where the host's files are in the container. */
export const HOST_ROOT = '/host';

/** The configuration file, as the agent reads it. */
export function agentConfiguration(props: NodeAgentProps): string {
  const { kubeletRoot, cdiRoot, metricsPort } = agentPlaces(props);
  const roles = [...(props.devices === undefined ? [] : ['driver']), ...(props.witness ?? true ? ['witness'] : [])];
  return Yaml.stringify({
    apiVersion: 'cdk8s-dra.dev/v1alpha1',
    kind: 'NodeAgentConfiguration',
    driverName: props.driver.driverName,
    family: props.driver.family,
    roles,
    ...(props.devices === undefined ? {} : { devices: props.devices._section }),
    kubeletRoot,
    cdiRoot,
    hostRoot: HOST_ROOT,
    ...(props.writesClaimStatus === true && props.devices !== undefined ? { claimStatus: true } : {}),
    http: { port: metricsPort },
  });
}

export function withoutTrailingSlash(folder: string): string {
  return folder.endsWith('/') ? folder.slice(0, -1) : folder;
}
