import { dnsSubdomainProblem } from 'cdk8s-dra/model';

import { ConfigurationError } from './read-configuration.js';

/** Which agent this is: what differs from node to node and from pod to pod, and so stands in no file. */
export interface AgentIdentity {
  readonly nodeName: string;
  /** Absent: the agent cannot serve beside another one during an update. */
  readonly podUid?: string;
  readonly podName?: string;
  readonly namespace?: string;
}

/** From the flag, else from the variables that the DaemonSet sets. */
export function agentIdentity(flags: { readonly node?: string | undefined }, environment: Environment): AgentIdentity {
  const nodeName = flags.node ?? nonEmpty(environment.NODE_NAME);
  if (nodeName === undefined) {
    throw new ConfigurationError('The name of the node is not known. Set NODE_NAME from spec.nodeName of the pod, or give --node.');
  }
  const problem = dnsSubdomainProblem(nodeName);
  if (problem !== undefined) throw new ConfigurationError(`The name of the node ${problem.rule}, got '${nodeName}'. ${problem.help}`);
  const podUid = nonEmpty(environment.POD_UID);
  if (podUid !== undefined && !UID.test(podUid)) {
    throw new ConfigurationError(`POD_UID must be a lower-case UUID, got '${podUid}'. Set it from metadata.uid of the pod.`);
  }
  const podName = nonEmpty(environment.POD_NAME);
  const namespace = nonEmpty(environment.NAMESPACE);
  return {
    nodeName,
    ...(podUid === undefined ? {} : { podUid }),
    ...(podName === undefined ? {} : { podName }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

type Environment = Readonly<Record<string, string | undefined>>;

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
