import { member } from './overload';
import type { Library } from './overload';
import { add } from '../evaluate/arithmetic';
import { equal } from '../evaluate/equality';
import { compare, isOrdered } from '../evaluate/order';
import { CelDuration, CelError, CelUint, noSuchOverload } from '../evaluate/value';
import type { CelList, Value } from '../evaluate/value';
import { BOOL, BYTES, DOUBLE, DURATION, INT, listType, STRING, TIMESTAMP, typeParameter, UINT } from '../types/type';
import type { Type } from '../types/type';

const A = typeParameter('A');

const SUMMABLE: readonly (readonly [name: string, type: Type, zero: Value])[] = [
  ['int', INT, 0n], ['uint', UINT, new CelUint(0n)], ['double', DOUBLE, 0], ['duration', DURATION, new CelDuration(0n)],
];

/** Types with an order, by the names that ids of overloads use. */
const COMPARABLE: readonly (readonly [name: string, type: Type])[] = [
  ['int', INT], ['uint', UINT], ['double', DOUBLE], ['bool', BOOL], ['duration', DURATION], ['timestamp', TIMESTAMP], ['string', STRING],
  ['bytes', BYTES],
];

/** Kubernetes' functions on lists (`k8s.io/apiserver/pkg/cel/library/lists.go`). */
export const LISTS: Library = {
  overloads: [
    ...COMPARABLE.map(([name, type]) => member('isSorted', `list_${name}_is_sorted_bool`, [listType(type)], BOOL, isSorted)),
    ...SUMMABLE.map(([name, type, zero]) => member('sum', `list_${name}_sum_${name}`, [listType(type)], type, (list: CelList) => sum(list, zero))),
    ...COMPARABLE.map(([name, type]) => member('max', `list_${name}_max_${name}`, [listType(type)], type,
      (list: CelList) => extreme(list, 'max', -1))),
    ...COMPARABLE.map(([name, type]) => member('min', `list_${name}_min_${name}`, [listType(type)], type,
      (list: CelList) => extreme(list, 'min', 1))),
    member('indexOf', 'list_a_index_of_int', [listType(A), A], INT,
      (list: CelList, item: Value) => BigInt(list.findIndex((element) => equal(element, item) === true))),
    member('lastIndexOf', 'list_a_last_index_of_int', [listType(A), A], INT,
      lastIndexOf),
  ],
};

function lastIndexOf(list: CelList, item: Value): Value {
  for (let index = list.length - 1; index >= 0; index--) if (equal(list[index], item) === true) return BigInt(index);
  return -1n;
}

function isSorted(list: CelList): Value {
  let previous: Value | undefined;
  for (const element of list) {
    if (!isOrdered(element)) return noSuchOverload(element);
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
}

function sum(list: CelList, zero: Value): Value {
  let total = zero;
  for (const element of list) {
    total = add(total, element);
    if (total instanceof CelError) return total;
  }
  return total;
}

function extreme(list: CelList, name: string, worse: -1 | 1): Value {
  let best: Value | undefined;
  for (const element of list) {
    if (!isOrdered(element)) return noSuchOverload(element);
    if (best === undefined || compare(best, element) === worse) best = element;
  }
  return best === undefined ? new CelError(`${name} called on empty list`) : best;
}
