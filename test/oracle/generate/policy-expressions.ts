/** Expressions of policies about the objects of `policy-request.ts`; some of them fail for some objects. */

export const VARIABLES: Readonly<Record<string, string>> = {
  labels: 'object.?metadata.labels.orValue({})',
  count: 'object.spec.count',
  next: 'variables.count + 1',
  names: 'object.spec.items.map(item, item.name)',
  sizes: 'object.spec.items.map(item, quantity(item.size))',
  quota: 'quantity("10Gi")',
  token: 'request.userInfo.?extra[?"authentication.kubernetes.io/node-name"][0].orValue("")',
  missing: 'object.?spec.missing',
  user: 'request.userInfo',
  started: 'timestamp("2024-01-01T00:00:00Z")',
  version: 'semver("1.2.3")',
  before: 'oldObject == null ? 0 : oldObject.spec.count',
  texts: '["a", "b"].map(x, x + request.operation)',
  byName: '{"a": 1, "b": 2}',
  nothing: 'null',
  costly: costing(8_300),
};

/**
 * A true expression that costs much and takes no time: to look for a text of this many bytes in another costs a hundredth of the product, while
 * upstream takes seconds to count the steps of loops that cost as much.
 */
function costing(bytes: number): string {
  return `[lists.range(${bytes / 100}).map(x, "${'0123456789'.repeat(10)}").join("")].all(s, !s.contains(s + "x"))`;
}

/** Validations by the variables that they need. */
export const VALIDATIONS: readonly (readonly [expression: string, variables: readonly string[]])[] = [
  ['object.spec.count > 0', []],
  ['object.spec.count == int(object.spec.count)', []],
  ['object.spec.count <= 3 || oldObject == null', []],
  ['object.spec.ratio < 0.5', []],
  ['object.spec.ratio * 2.0 == 0.5', []],
  ['has(object.spec.count) && has(object.spec.items)', []],
  ['has(request.name) && request.name != ""', []],
  ['request.subResource == ""', []],
  ['has(request.namespace)', []],
  ['!has(request.subResource) || request.subResource == "status"', []],
  ['request.userInfo.groups.exists(group, group == "system:nodes")', []],
  ['request.userInfo.?groups.orValue([]).size() < 2', []],
  ['request.userInfo.extra["authentication.kubernetes.io/node-name"][0] == object.spec.nodeName', []],
  ['request.kind.kind == "Widget" && request.resource.resource == "widgets"', []],
  ['request.requestKind == request.kind', []],
  ['request.dryRun == false', []],
  ['request.options == null || request.options.kind != "DeleteOptions"', []],
  ['request.operation in ["CREATE", "UPDATE"]', []],
  ['object == oldObject', []],
  ['object != null || request.operation == "DELETE"', []],
  ['object.metadata.labels["a/b"] == "c"', []],
  ['object.metadata.?labels[?"a/b"].orValue("c") == "c"', []],
  ['type(object.spec.count) == int', []],
  ['dyn(object).spec.items.all(item, item.name.matches("^[a-z]+$"))', []],
  ['object.spec.items.filter(item, quantity(item.size).isGreaterThan(quantity("1Gi"))).size() == 1', []],
  ['object.spec.items.sum() > 0', []],
  ['object.spec.unknown == 1', []],
  ['object.spec.flag == true', []],
  ['bool(object.spec.flag)', []],
  ['object.spec.flag == true ? object.spec.count > 1 : true', []],
  ['oldObject.spec.count <= object.spec.count', []],
  ['namespaceObject == null || namespaceObject.metadata.name == request.namespace', []],
  ['namespaceObject.metadata.labels["team"] == "a"', []],
  ['namespaceObject.spec.finalizers.size() > 0', []],
  ['namespaceObject.status.phase == "Active"', []],
  ['size(namespaceObject.status.conditions) == 0', []],
  ['"team" in variables.labels', ['labels']],
  ['variables.labels.size() == 1 && variables.labels == {"team": "a"}', ['labels']],
  ['variables.count < 5', ['count']],
  ['variables.next < 5', ['count', 'next']],
  ['variables.next == variables.count + 1 && variables.count > 0', ['count', 'next']],
  ['has(variables.count)', ['count']],
  ['variables.names.all(name, name != "b")', ['names']],
  ['variables.names.join(",") == "a,b"', ['names']],
  ['variables.sizes.all(size, size.isLessThan(variables.quota))', ['sizes', 'quota']],
  ['variables.quota.isGreaterThan(quantity("1Gi"))', ['quota']],
  ['variables.token == object.spec.nodeName', ['token']],
  ['variables.missing.hasValue()', ['missing']],
  ['variables.missing.orValue(1) == 1', ['missing']],
  ['variables.user.username.startsWith("system:")', ['user']],
  ['variables.started < timestamp("2025-01-01T00:00:00Z")', ['started']],
  ['variables.version.major() == 1', ['version']],
  ['variables.before <= object.spec.count', ['before']],
  ['variables.texts == ["aCREATE", "bCREATE"]', ['texts']],
  ['variables.byName["a"] == 1 && variables.byName.all(k, v, v < object.spec.count)', ['byName']],
  ['variables.nothing == null', ['nothing']],
  ['object.spec.count > 100 || variables.costly', ['costly']],
];

/** Most cost most of what one expression may, and the last one more. */
export const COSTLY = [costing(5_000), costing(8_300), costing(9_400), costing(12_000)];

export const MESSAGES = [
  '"The count is " + string(object.spec.count) + "."',
  '"  spaces around  "',
  '"\\t\\u00a0\\u0085"',
  '"two\\nlines"',
  '"ends with a line\\n"',
  '""',
  '"no such " + object.spec.missing',
  '["a", "b"].join(" and ")',
  'lists.range(3000).map(x, "ab").join("")',
  'request.operation + " of " + request.userInfo.username',
  '"name: " + request.name',
  'string(oldObject.spec.count)',
  '"%s has %d".format([object.metadata.name, object.spec.count])',
];

export const MATCH_CONDITIONS = [
  'request.operation != "DELETE"',
  'request.userInfo.username == "system:serviceaccount:drivers:driver"',
  'object.spec.count > 1',
  'has(object.metadata.labels)',
  'object.spec.missing == 1',
  'request.name.startsWith("w")',
  'namespaceObject == null',
  'variables.count > 1',
];

/** With parameters, which may be absent from the request. */
export const PARAM_VALIDATIONS = [
  'params != null',
  'object.spec.count <= params.spec.max',
  'params.spec.allowed.exists(name, name == object.metadata.name)',
  'params.?spec.max.orValue(10) > object.spec.count',
  'params == null ? object.spec.count < 2 : object.spec.count < params.spec.max',
];
