import { global } from './overload';
import type { Library } from './overload';
import { listContains } from '../evaluate/container';
import type { CelList } from '../evaluate/value';
import { BOOL, listType, typeParameter } from '../types/type';

const LIST = listType(typeParameter('T'));

/** Lists as sets (cel-go `ext/sets.go`). */
export const SETS: Library = {
  overloads: [
    global('sets.contains', 'list_sets_contains_list', [LIST, LIST], BOOL, includesAll),
    global('sets.equivalent', 'list_sets_equivalent_list', [LIST, LIST], BOOL, (a: CelList, b: CelList) => includesAll(a, b) && includesAll(b, a)),
    global('sets.intersects', 'list_sets_intersects_list', [LIST, LIST], BOOL, (a: CelList, b: CelList) => a.some((element) => listContains(b, element))),
  ],
};

function includesAll(list: CelList, part: CelList): boolean {
  return part.every((element) => listContains(list, element));
}
