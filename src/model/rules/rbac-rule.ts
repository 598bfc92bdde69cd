import { nearestName } from './near-names';
import { allows, bindingsOf, Grants, RBAC_GROUP, rolesOf, rulesOf } from './permissions';
import type { PermissionRule, RoleBinding } from './permissions';
import { Place } from './place';
import { lookUp, podPlace } from './pod-claims';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { KINDS } from '../../../imports/fields';
import type { ManifestObject } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';

/** Roles and bindings of drivers and controllers: references, what 1.36 asks for, and what nobody needs. */
export const RBAC_RULE: Rule = {
  codes: ['DRA136', 'DRA137', 'DRA160', 'DRA166'],
  run(context) {
    const bindings = bindingsOf(context.manifests);
    for (const binding of bindings) {
      checkRole(context, binding);
      for (const subject of Place.root(binding.object).at('subjects').items()) checkSubject(context, binding.object, subject);
    }
    for (const site of context.manifests.podSites()) {
      const place = podPlace(site);
      const account = place.at('serviceAccountName').isSet ? place.at('serviceAccountName') : place.at('serviceAccount');
      if (account.text) checkAccount(context, account, site.object.namespace, account.text);
    }
    const grants = new Grants(bindings);
    for (const role of rolesOf(context.manifests)) {
      const rules = rulesOf(role);
      for (const rule of rules) checkWidth(context, role, rule);
      checkStatusWriter(context, role, rules, grants);
    }
  },
};

/** Roles that every API server makes itself, besides `system:…` (`plugin/pkg/auth/authorizer/rbac/bootstrappolicy`). */
const BUILT_IN_ROLES: ReadonlySet<string> = new Set(['cluster-admin', 'admin', 'edit', 'view', 'extension-apiserver-authentication-reader']);

function checkRole(context: RuleContext, { object, roleKind, roleName, role }: RoleBinding): void {
  if (role !== undefined || roleName === '' || roleName.startsWith('system:') || BUILT_IN_ROLES.has(roleName)) return;
  const meant = nearestName(context.manifests, RBAC_GROUP, roleKind, roleName, object.namespace);
  report(context, 'DRA137', Place.root(object).at('roleRef', 'name'), {
    severity: context.manifests.ofKind(RBAC_GROUP, roleKind).length === 0 ? 'info' : 'warning',
    message: `The ${roleKind} '${roleName}' is not among the manifests checked: until it exists the binding gives no rights.`,
    help: meant === undefined ? 'Add the role, or correct the name.' : `Did you mean '${meant}'?`,
  });
}

function checkSubject(context: RuleContext, binding: ManifestObject, subject: Place): void {
  const name = subject.at('name').text;
  if (subject.at('kind').text !== 'ServiceAccount' || !name) return;
  checkAccount(context, subject.at('name'), subject.at('namespace').text ?? binding.namespace, name);
}

/** C-040: an account typed twice, differently, leaves the pod without rights. */
function checkAccount(context: RuleContext, place: Place, namespace: string, name: string): void {
  if (name === 'default') return;
  const { found, elsewhere } = lookUp(context.manifests, '', 'ServiceAccount', namespace, name);
  if (found !== undefined) return;
  const meant = nearestName(context.manifests, '', 'ServiceAccount', name, namespace);
  let help = 'Add the ServiceAccount, or correct the name.';
  if (elsewhere !== undefined) help = `There is one of this name in namespace '${elsewhere.namespace}'.`;
  else if (meant !== undefined) help = `Did you mean '${meant}'?`;
  report(context, 'DRA136', place, {
    // An account of a namespace that the input does not fill is somebody else's.
    severity: elsewhere !== undefined || meant !== undefined || hasAccounts(context, namespace) ? 'warning' : 'info',
    message: `The ServiceAccount '${name}'${namespace === '' ? '' : ` in namespace '${namespace}'`} is not among the manifests checked.`,
    help,
  });
}

function hasAccounts({ manifests }: RuleContext, namespace: string): boolean {
  return manifests.ofKind('', 'ServiceAccount').some((account) => account.namespace === namespace);
}

const NODE_VERBS = ['associated-node:update', 'associated-node:patch', 'arbitrary-node:update', 'arbitrary-node:patch'];
const WRITE = ['update', 'patch'];

/** From 1.36 on a claim's status needs a second permission for each of its parts (DRAResourceClaimGranularStatusAuthorization). */
function checkStatusWriter(context: RuleContext, role: ManifestObject, rules: readonly PermissionRule[], grants: Grants): void {
  const writer = rules.find((rule) => allows(rule, RESOURCE_GROUP, 'resourceclaims/status', WRITE));
  for (const rule of rules) checkDriverVerbs(context, rule);
  if (writer === undefined || !context.target.enabled('DRAResourceClaimGranularStatusAuthorization')) return;
  const isComplete = [role, ...grants.besides(role)].flatMap(rulesOf).some((rule) => allows(rule, RESOURCE_GROUP, 'resourceclaims/driver', NODE_VERBS) || allows(rule, RESOURCE_GROUP, 'resourceclaims/binding', WRITE));
  if (isComplete) return;
  report(context, 'DRA160', writer.place, {
    message: `${role.kind} '${role.name}' may write resourceclaims/status, which Kubernetes ${context.target.minor} refuses without a right on resourceclaims/driver or resourceclaims/binding.`,
    help: 'A driver adds resourceclaims/driver with resourceNames: [<driver name>] and the verbs associated-node:update and associated-node:patch; older clusters ignore it.',
  });
}

function checkDriverVerbs(context: RuleContext, rule: PermissionRule): void {
  if (!rule.resources.includes('resourceclaims/driver') || rule.verbs.includes('*')) return;
  const useless = rule.verbs.filter((verb) => !NODE_VERBS.includes(verb));
  if (useless.length === 0) return;
  report(context, 'DRA160', rule.place.at('verbs'), {
    severity: rule.verbs.length === useless.length ? 'error' : 'warning',
    message: `The API server never asks for ${useless.join(', ')} on resourceclaims/driver.`,
    help: 'Write associated-node:update and associated-node:patch for a driver on nodes, arbitrary-node:… for one that serves all nodes.',
  });
}

/** C-052: rules merged as a cross product, or wider than the work needs. */
function checkWidth(context: RuleContext, role: ManifestObject, rule: PermissionRule): void {
  const isDra = rule.apiGroups.includes(RESOURCE_GROUP);
  if (rule.apiGroups.includes('*') && rule.resources.includes('*') && rule.verbs.includes('*')) {
    if (mentionsDra(role)) {
      report(context, 'DRA166', rule.place, { message: `${role.kind} '${role.name}' allows everything on everything.`, help: 'Name the groups, resources and verbs that the program uses.' });
    }
    return;
  }
  if (isDra && (rule.resources.includes('*') || rule.verbs.includes('*'))) {
    report(context, 'DRA166', rule.place, {
      message: `${role.kind} '${role.name}' allows '*' in ${RESOURCE_GROUP}: also claims of others, their status and the slices of every node.`,
      help: 'A driver needs get on resourceclaims, and get, list, watch, create, update, patch, delete on resourceslices.',
    });
  }
  if (isDra && rule.resources.includes('resourceclaims/driver') && rule.resourceNames.length === 0) {
    report(context, 'DRA166', rule.place, {
      message: `${role.kind} '${role.name}' may write the device status of every driver.`, help: 'Add resourceNames: [<driver name>].',
    });
  }
  if (rule.apiGroups.length > 1) checkProduct(context, role, rule);
}

function mentionsDra(role: ManifestObject): boolean {
  return rulesOf(role).some(({ apiGroups }) => apiGroups.includes(RESOURCE_GROUP));
}

const RESOURCES_BY_GROUP = new Map<string, Set<string>>();
for (const [key, { plural }] of Object.entries(KINDS)) {
  const group = key.split('/').slice(0, -2).join('/');
  RESOURCES_BY_GROUP.set(group, (RESOURCES_BY_GROUP.get(group) ?? new Set()).add(plural));
}

function checkProduct(context: RuleContext, role: ManifestObject, rule: PermissionRule): void {
  if (!rule.apiGroups.includes(RESOURCE_GROUP) || !rule.apiGroups.every((group) => RESOURCES_BY_GROUP.has(group))) return;
  const pairs = rule.apiGroups.flatMap((group) => rule.resources.map((resource) => ({ group, resource })));
  const idle = pairs.filter(({ group, resource }) => resource !== '*' && !RESOURCES_BY_GROUP.get(group)?.has(resource.replace(/\/.*/, '')));
  if (idle.length === 0) return;
  report(context, 'DRA166', rule.place, {
    severity: 'info',
    message: `A rule of ${role.kind} '${role.name}' is a product of groups and resources: ${idle[0].resource} does not exist in group '${idle[0].group}'.`,
    help: 'Write a rule for each group, with the verbs that its resources need.',
  });
}
