import { compareMinors } from 'cdk8s-dra/model';
import type { Minor } from 'cdk8s-dra/model';

import { readClusterFacts } from './cluster-facts.js';
import type { ClusterFacts } from './cluster-facts.js';
import { need, needText, resourceParts } from './contract.js';
import type { Contract, Need, Verdict } from './contract.js';
import { findLeftovers, NAME_PREFIX } from './scratch.js';
import type { Leftover } from './scratch.js';
import { isApiError } from '../kube/api-error.js';
import type { KubeClient } from '../kube/kube-client.js';
import { NAMESPACES, SELF_SUBJECT_ACCESS_REVIEWS } from '../kube/resource.js';

export interface RunSettings {
  /** Nothing is stored; contracts that would are not tried. */
  readonly readOnly: boolean;
  /** Also what makes nodes, and slices that pods can get. */
  readonly lab: boolean;
  /** Ids of contracts or names of areas; empty, all. */
  readonly only: readonly string[];
}

export interface PlannedContract {
  readonly contract: Contract;
  /** Decided beforehand. */
  readonly skip?: { readonly verdict: Verdict; readonly because: string };
}

/** What a run is going to do, before it does anything. */
export interface Plan {
  readonly settings: RunSettings;
  readonly facts: ClusterFacts;
  readonly server: string;
  readonly origin: string;
  readonly run: string;
  /** Where namespaced objects go; exists already when nothing is created. */
  readonly namespace: string;
  readonly contracts: readonly PlannedContract[];
  /** Every permission that the chosen contracts need, sorted, and whether this user has it. */
  readonly needs: readonly { readonly need: Need; readonly isGranted: boolean }[];
  readonly leftovers: readonly Leftover[];
}

/** Reads what the cluster is and what this user may do; writes nothing but access reviews. */
export async function planRun(client: KubeClient, contracts: readonly Contract[], settings: RunSettings, run: string): Promise<Plan> {
  const facts = await readClusterFacts(client);
  const chosen = contracts.filter((contract) => settings.only.length === 0 || settings.only.some((name) => name === contract.id || name === contract.area.toLowerCase().replaceAll(' ', '-')));
  const namespace = settings.readOnly ? client.connection.namespace : `${NAME_PREFIX}${run}`;
  const candidates = chosen.map((contract): PlannedContract => {
    const skip = skipBefore(contract, facts, settings);
    return skip === undefined ? { contract } : { contract, skip };
  });
  const wanted = uniqueNeeds(candidates.filter(({ skip }) => skip === undefined).flatMap(({ contract }) => needsOf(contract, facts.programMinor)));
  const needs = await Promise.all(wanted.map(async (one) => ({ need: one, isGranted: await isGranted(client, one, namespace) })));
  const denied = new Set(needs.filter(({ isGranted: granted }) => !granted).map(({ need: one }) => needText(one)));
  return {
    settings,
    facts,
    server: client.connection.server,
    origin: client.connection.origin,
    run,
    namespace,
    contracts: candidates.map((planned) => withPermissions(planned, denied, facts.programMinor)),
    needs,
    leftovers: await findLeftovers(client, run),
  };
}

/** Whether a run of this plan stores anything. */
export function createsObjects(plan: Plan): boolean {
  return plan.contracts.some(({ contract, skip }) => skip === undefined && contract.effect === 'creates')
    // Dry runs of namespaced objects need a namespace to be in.
    || (!plan.settings.readOnly && plan.contracts.some(({ contract, skip }) => skip === undefined && contract.effect === 'tries'));
}

/** Under emulation the code is the program's; what an older minor lacks, its gates hide, which the contracts ask for. */
function skipBefore({ mode, effect, since, until }: Contract, { programMinor: minor }: ClusterFacts, { lab, readOnly }: RunSettings): PlannedContract['skip'] {
  if (since !== undefined && compareMinors(minor, since) < 0) return { verdict: 'not-applicable', because: `holds from Kubernetes ${since} on` };
  if (until !== undefined && compareMinors(minor, until) > 0) return { verdict: 'not-applicable', because: `holds up to Kubernetes ${until}` };
  if (mode === 'lab' && !lab) return { verdict: 'not-tried', because: 'needs a cluster of its own: it makes nodes and devices that pods of others could get (--lab)' };
  if (readOnly && effect === 'creates') return { verdict: 'not-tried', because: 'creates objects, and the run is read-only' };
  return undefined;
}

function withPermissions(planned: PlannedContract, denied: ReadonlySet<string>, minor: Minor): PlannedContract {
  if (planned.skip !== undefined) return planned;
  const missing = needsOf(planned.contract, minor).filter((one) => denied.has(needText(one)));
  if (missing.length === 0) return planned;
  const because = verbsByResource(missing).map(({ resource, verbs }) => `${verbs.join(', ')} ${resource}`).join('; ');
  return { ...planned, skip: { verdict: 'not-tried', because: `this user may not ${because}` } };
}

/** Needs with the verbs of one resource together, in the order given. */
export function verbsByResource(needs: readonly Need[]): readonly { readonly resource: string; readonly verbs: readonly string[] }[] {
  const verbs = new Map<string, Set<string>>();
  for (const one of needs) {
    const resource = needText(one).slice(one.verb.length + 1);
    verbs.set(resource, (verbs.get(resource) ?? new Set()).add(one.verb));
  }
  return [...verbs].map(([resource, set]) => ({ resource, verbs: [...set] }));
}

function needsOf({ needs, effect }: Contract, minor: Minor): readonly Need[] {
  const all = effect === 'creates' ? [...NAMESPACE_NEEDS, ...needs] : needs;
  return all.filter(({ since }) => since === undefined || compareMinors(minor, since) >= 0);
}

const NAMESPACE_NEEDS: readonly Need[] = need(NAMESPACES, ['create', 'delete', 'list']);

function uniqueNeeds(needs: readonly Need[]): readonly Need[] {
  const byText = new Map(needs.map((one) => [needText(one), one]));
  const key = ({ group, resource, verb }: Need): string => `${group}\n${resource}\n${verb}`;
  return [...byText.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

async function isGranted(client: KubeClient, { verb, group, resource, namespaced }: Need, namespace: string): Promise<boolean> {
  const { plural, subresource } = resourceParts(resource);
  const attributes = { verb, group, resource: plural, subresource, ...(namespaced ? { namespace } : {}) };
  try {
    const review = await client.create(SELF_SUBJECT_ACCESS_REVIEWS, {
      apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: attributes },
    });
    return (review.status as { readonly allowed?: boolean } | undefined)?.allowed === true;
  } catch (error) {
    // Who may not even ask finds out by trying.
    if (isApiError(error) && error.status === 403) return true;
    throw error;
  }
}
