import { asObject } from './manifests/manifest-set';

/**
 * Whether a ResourceQuota has scopes, given its spec.
 *
 * Scopes select pods: such a quota counts no claim (`MatchesNoScopeFunc` of the claim evaluator), and of extended resources only those of some pods.
 */
export function hasScopes(spec: unknown): boolean {
  const { scopes, scopeSelector } = asObject(spec) ?? {};
  return [scopes, asObject(scopeSelector)?.matchExpressions].some(list => Array.isArray(list) && list.length > 0);
}
