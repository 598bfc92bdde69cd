import { Place } from './place';
import type { ManifestObject, ManifestSet } from '../manifests/manifest-set';
import { RESOURCE_GROUP } from '../target';

const cache = new WeakMap<ManifestObject, string | undefined>();

/** The DeviceClass of a name, when the input holds it. */
export function deviceClass(manifests: ManifestSet, name: string): ManifestObject | undefined {
  return manifests.find(RESOURCE_GROUP, 'DeviceClass', '', name);
}

/** The driver that a class is for, when one of its selectors says so as `device.driver == "…"` first. */
export function driverOf(object: ManifestObject): string | undefined {
  if (cache.has(object)) return cache.get(object);
  const drivers = Place.root(object).at('spec', 'selectors').items().map((selector) => driverIn(selector.at('cel', 'expression').text));
  const driver = drivers.find((found) => found !== undefined);
  cache.set(object, driver);
  return driver;
}

/** The driver whose devices alone an expression can match: one of the conditions that must all hold compares `device.driver`. */
export function driverIn(expression: string | undefined): string | undefined {
  for (const condition of conditionsOf(expression ?? '')) {
    const match = /^[\s(]*device\.driver\s*==\s*(["'])([^"'\\]+)\1[\s)]*$/.exec(condition)
      ?? /^[\s(]*(["'])([^"'\\]+)\1\s*==\s*device\.driver[\s)]*$/.exec(condition);
    if (match !== null) return match[2];
  }
  return undefined;
}

/** The only type of a driver's devices that expressions can match which must all hold: one of their conditions compares its attribute `type`. */
export function deviceTypeIn(expressions: readonly string[], driverName: string): string | undefined {
  for (const condition of expressions.flatMap(conditionsOf)) {
    const match = /^[\s(]*device\.attributes\[(["'])([^"'\\]+)\1\](?:\.type|\[["']type["']\])\s*==\s*(["'])([^"'\\]+)\3[\s)]*$/.exec(condition);
    if (match?.[2] === driverName) return match[4];
  }
  return undefined;
}

/** The parts of an expression joined by `&&`; the whole when anything weaker joins them. */
function conditionsOf(expression: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < expression.length; i++) {
    const char = expression[i];
    if (char === '"' || char === '\'') {
      i = endOfString(expression, i);
    } else if ('([{'.includes(char)) {
      depth++;
    } else if (')]}'.includes(char)) {
      depth--;
    } else if (depth === 0 && (expression.startsWith('||', i) || (char === '?' && expression[i - 1] !== '.'))) {
      return [];
    } else if (depth === 0 && expression.startsWith('&&', i)) {
      parts.push(expression.slice(start, i));
      start = i + 2;
      i++;
    }
  }
  return [...parts, expression.slice(start)];
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== text[start]) end += text[end] === '\\' ? 2 : 1;
  return end;
}
