import { nearestName } from './near-names';
import { allows, bindingsOf, rulesOf } from './permissions';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import type { ManifestObject } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';

const GROUP = 'admissionregistration.k8s.io';

/** Admission policies: bound to something, and about the accounts that exist. */
export const POLICIES_RULE: Rule = {
  codes: ['DRA114', 'DRA138', 'DRA161', 'DRA162'],
  run(context) {
    for (const [family, contents] of Object.entries(CONTENTS)) {
      for (const policy of context.manifests.ofKind(GROUP, family)) checkContents(context, policy, contents);
      checkBindings(context, family);
    }
    checkSliceWriters(context);
  },
};

/** What a policy of each family can say: one of the lists must hold something (`pkg/apis/admissionregistration/validation`). */
const CONTENTS: { readonly [family: string]: readonly string[] } = {
  ValidatingAdmissionPolicy: ['validations', 'auditAnnotations'],
  MutatingAdmissionPolicy: ['mutations'],
};

/** The schemas call these fields optional, the API server does not. */
function checkContents(context: RuleContext, policy: ManifestObject, contents: readonly string[]): void {
  const spec = Place.root(policy).at('spec');
  if (spec.fields === undefined) return;
  const rules = spec.at('matchConstraints', 'resourceRules');
  if (!spec.at('matchConstraints').isSet || isEmpty(rules)) {
    report(context, 'DRA114', spec.at('matchConstraints').isSet ? rules : spec.at('matchConstraints'), {
      message: `The policy '${policy.name}' names no resource: the API server refuses it without matchConstraints.resourceRules.`,
      help: 'Add matchConstraints with resourceRules: apiGroups, apiVersions, operations and resources.',
    });
  }
  if (contents.some((list) => !isEmpty(spec.at(list)))) return;
  report(context, 'DRA114', spec.at(contents[0]), {
    message: `The policy '${policy.name}' decides nothing: the API server refuses it without ${contents.join(' or ')}.`, help: `Add an entry to ${contents[0]}.`,
  });
}

/** Absent, or a list without entries; other types are the matter of the schema. */
function isEmpty(list: Place): boolean {
  return !list.isSet || (Array.isArray(list.value) && list.value.length === 0);
}

function checkBindings(context: RuleContext, family: string): void {
  const policies = context.manifests.ofKind(GROUP, family);
  const bindings = context.manifests.ofKind(GROUP, `${family}Binding`);
  const bound = new Set<string>();
  for (const binding of bindings) {
    const place = Place.root(binding).at('spec', 'policyName');
    if (!place.text) continue;
    bound.add(place.text);
    if (context.manifests.find(GROUP, family, '', place.text) !== undefined) continue;
    const meant = nearestName(context.manifests, GROUP, family, place.text);
    report(context, 'DRA138', place, {
      severity: policies.length === 0 ? 'info' : 'warning',
      message: `The ${family} '${place.text}' is not among the manifests checked: until it exists the binding does nothing.`,
      help: meant === undefined ? 'Add the policy, or correct the name.' : `Did you mean '${meant}'?`,
    });
  }
  for (const policy of policies) {
    if (policy.name === '' || bound.has(policy.name)) continue;
    report(context, 'DRA138', Place.root(policy).at('metadata', 'name'), {
      message: `No binding among the manifests checked names the ${family} '${policy.name}': alone it decides nothing.`,
      help: `Add a ${family}Binding with policyName: ${policy.name}.`,
    });
  }
}

/** A driver's account may write the slices of every node unless a policy ties it to its own. */
function checkSliceWriters(context: RuleContext): void {
  const writers = new Map<string, ManifestObject>();
  for (const { object, role, accounts } of bindingsOf(context.manifests)) {
    if (role === undefined || object.kind !== 'ClusterRoleBinding') continue;
    if (!rulesOf(role).some((rule) => allows(rule, RESOURCE_GROUP, 'resourceslices', ['create', 'update', 'patch', 'delete']))) continue;
    for (const account of accounts) writers.set(account, object);
  }
  if (writers.size === 0) return;
  const policies = context.manifests.ofKind(GROUP, 'ValidatingAdmissionPolicy').filter(guardsSlices);
  const named = policies.flatMap((policy) => accountsIn(policy).map((account) => ({ policy, ...account })));
  const strays = named.filter(({ account }) => ![...writers.keys()].some((writer) => isSameAccount(writer, account)));
  for (const { policy, place, account } of strays) {
    const others = [...writers.keys()].map(label).sort().join(', ');
    report(context, 'DRA162', place, {
      message: `The policy '${policy.name}' is about the account '${account}', but ${others} may write ResourceSlices: it protects from nobody.`,
      help: 'Write the namespace and name of the account that the driver runs as.',
    });
  }
  const isForAll = policies.some((policy) => accountsIn(policy).length === 0);
  for (const [account, binding] of writers) {
    // A stray policy that shares name or namespace was meant for this account: that is said above.
    const isGuarded = isForAll || named.some((guarded) => isSameAccount(account, guarded.account));
    if (isGuarded || strays.some((stray) => isMeant(account, stray.account))) continue;
    report(context, 'DRA161', Place.root(binding), {
      message: `The account '${label(account)}' may write the ResourceSlices of every node, and no policy among the manifests checked ties it to its own.`,
      help: 'Add a ValidatingAdmissionPolicy that compares spec.nodeName of the slice with the node of the caller\'s token.',
    });
  }
}

/** `writer` has an empty namespace where its binding leaves the namespace to whoever applies it. */
function isSameAccount(writer: string, account: string): boolean {
  return writer === account || (writer.startsWith('/') && writer === account.slice(account.indexOf('/')));
}

/** As a person writes it where the namespace is not known. */
function label(account: string): string {
  return account.replace(/^\//, '');
}

function isMeant(writer: string, account: string): boolean {
  const [a, b] = [writer.split('/'), account.split('/')];
  return a[0] === b[0] || a[1] === b[1];
}

function guardsSlices(policy: ManifestObject): boolean {
  return Place.root(policy).at('spec', 'matchConstraints', 'resourceRules').items().some((rule) => {
    return rule.at('resources').items().some(({ text }) => text === 'resourceslices' || text === '*');
  });
}

/** Accounts that conditions of a policy compare the caller with. */
function accountsIn(policy: ManifestObject): { readonly place: Place; readonly account: string }[] {
  const spec = Place.root(policy).at('spec');
  const expressions = ['matchConditions', 'variables', 'validations'].flatMap((list) => spec.at(list).items()).map((entry) => entry.at('expression'));
  return expressions.flatMap((place) => {
    const matches = (place.text ?? '').matchAll(/["']system:serviceaccount:([^:"']*):([^:"']+)["']/g);
    return [...matches].map((match) => ({ place, account: `${match[1]}/${match[2]}` }));
  });
}
