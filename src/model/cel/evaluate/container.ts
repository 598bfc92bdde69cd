import { equal } from './equality';
import { CelMap } from './map';
import { isList, noSuchOverload } from './value';
import type { CelList, Value } from './value';

/** `element in container`. */
export function contains(container: Value, element: Value): Value {
  if (isList(container)) return listContains(container, element);
  if (container instanceof CelMap) return container.findOwn(element) !== undefined;
  return noSuchOverload(container);
}

export function listContains(list: CelList, element: Value): boolean {
  return list.some((candidate) => equal(element, candidate) === true);
}
