import { Place } from './place';
import type { ManifestObject, ManifestSet } from '../manifests/manifest-set';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

/** One rule of a role. */
export interface PermissionRule {
  readonly place: Place;
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames: readonly string[];
}

/** A binding with what it binds, as far as the input holds it. */
export interface RoleBinding {
  readonly object: ManifestObject;
  readonly roleKind: string;
  readonly roleName: string;
  readonly role?: ManifestObject;
  /** Service accounts as `namespace/name`. */
  readonly accounts: readonly string[];
}

export function rulesOf(role: ManifestObject): PermissionRule[] {
  return Place.root(role).at('rules').items().map((place) => {
    const texts = (field: string): string[] => place.at(field).items().map((item) => item.text).filter((text) => text !== undefined);
    return { place, apiGroups: texts('apiGroups'), resources: texts('resources'), verbs: texts('verbs'), resourceNames: texts('resourceNames') };
  });
}

export function rolesOf(manifests: ManifestSet): ManifestObject[] {
  return [...manifests.ofKind(RBAC_GROUP, 'ClusterRole'), ...manifests.ofKind(RBAC_GROUP, 'Role')];
}

export function bindingsOf(manifests: ManifestSet): RoleBinding[] {
  return [...manifests.ofKind(RBAC_GROUP, 'ClusterRoleBinding'), ...manifests.ofKind(RBAC_GROUP, 'RoleBinding')].map((object) => {
    const reference = Place.root(object).at('roleRef');
    const roleKind = reference.at('kind').text ?? '';
    const roleName = reference.at('name').text ?? '';
    const role = manifests.find(RBAC_GROUP, roleKind, roleKind === 'Role' ? object.namespace : '', roleName);
    const accounts = Place.root(object).at('subjects').items()
      .filter((subject) => subject.at('kind').text === 'ServiceAccount' && subject.at('name').text)
      .map((subject) => `${subject.at('namespace').text ?? object.namespace}/${subject.at('name').text}`);
    return { object, roleKind, roleName, role, accounts };
  });
}

/** Which roles the same service accounts hold. */
export class Grants {
  private readonly accounts = new Map<ManifestObject, string[]>();
  private readonly roles = new Map<string, ManifestObject[]>();

  public constructor(bindings: readonly RoleBinding[]) {
    for (const { role, accounts } of bindings) {
      if (role === undefined) continue;
      this.accounts.set(role, [...this.accounts.get(role) ?? [], ...accounts]);
      for (const account of accounts) {
        const roles = this.roles.get(account);
        if (roles === undefined) this.roles.set(account, [role]);
        else roles.push(role);
      }
    }
  }

  /** The other roles of the accounts that hold a role. */
  public besides(role: ManifestObject): ManifestObject[] {
    return (this.accounts.get(role) ?? []).flatMap((account) => this.roles.get(account) ?? []).filter((other) => other !== role);
  }
}

/** Whether a rule allows one of the verbs on a resource of a group. */
export function allows(rule: PermissionRule, group: string, resource: string, verbs: readonly string[]): boolean {
  return (rule.apiGroups.includes(group) || rule.apiGroups.includes('*'))
    && (rule.resources.includes(resource) || rule.resources.includes('*') || isSubresourceWildcard(rule, resource))
    && (rule.verbs.includes('*') || verbs.some((verb) => rule.verbs.includes(verb)));
}

function isSubresourceWildcard(rule: PermissionRule, resource: string): boolean {
  const slash = resource.indexOf('/');
  return slash > 0 && rule.resources.includes(`*${resource.slice(slash)}`);
}
