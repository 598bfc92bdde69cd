// What a server made of a written object.
import { loadModel } from '../../../tools/load-model.mjs';

const { Quantity } = await loadModel('quantity.ts');

/**
 * Fields of `written` that `stored` does not have, or has with another value.
 *
 * Values that the server adds are no difference, nor is one that says nothing (false, 0, an empty text, map or list) and is left out.
 * Quantities are compared as quantities.
 *
 * @returns {{ path: string, kind: 'dropped' | 'changed', written: unknown, stored?: unknown }[]}
 */
export function differences(written, stored, path = '') {
  // 1.34 answers null for an empty list.
  if ((stored === undefined || stored === null) && saysNothing(written)) return [];
  if (Array.isArray(written)) {
    if (!Array.isArray(stored)) return [lost(path, written, stored)];
    const found = written.flatMap((item, index) =>
      index < stored.length ? differences(item, stored[index], `${path}[${index}]`) : [lost(`${path}[${index}]`, item, undefined)],
    );
    if (stored.length > written.length) found.push({ path, kind: 'changed', written, stored });
    return found;
  }
  if (written !== null && typeof written === 'object') {
    if (stored === null || typeof stored !== 'object' || Array.isArray(stored)) return [lost(path, written, stored)];
    return Object.keys(written).flatMap(key => differences(written[key], stored[key], path === '' ? key : `${path}.${key}`));
  }
  return same(written, stored) ? [] : [lost(path, written, stored)];
}

function saysNothing(value) {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

function lost(path, written, stored) {
  return stored === undefined ? { path, kind: 'dropped', written } : { path, kind: 'changed', written, stored };
}

function same(left, right) {
  if (left === right) return true;
  if (!isScalar(left) || !isScalar(right)) return false;
  const [one, other] = [Quantity.fromJson(left), Quantity.fromJson(right)];
  return one instanceof Quantity && other instanceof Quantity && one.equals(other);
}

function isScalar(value) {
  return typeof value === 'string' || typeof value === 'number';
}
