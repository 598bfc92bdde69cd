import { dnsSubdomainProblem } from 'cdk8s-dra/model';

import type { ClaimName } from '../claim-service.js';
import { isClaimUid } from './record/claim-uid.js';

/** Why nothing may be made from what kubelet calls a claim; undefined when all is well. */
export function claimNameProblem({ uid, namespace, name }: ClaimName): string | undefined {
  if (!isClaimUid(uid)) return `UID ${shown(uid)} must be lower-case letters, digits and '-', at most 63`;
  for (const [what, text] of [['namespace', namespace], ['name', name]] as const) {
    const problem = dnsSubdomainProblem(text);
    if (problem !== undefined) return `${what} ${shown(text)} ${problem.rule}`;
  }
  return undefined;
}

/** Whoever sends it wants to see it in a log, perhaps. */
function shown(text: string): string {
  return JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
}
