import { member } from './overload';
import type { Library } from './overload';
import { equal } from '../evaluate/equality';
import { CelError, isList } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { BOOL, DYN } from '../types/type';

/** `target.includes(value)`, which takes a list for its elements and anything else for itself. */
export const INCLUDES: Library = {
  overloads: [member('includes', 'list_includes_dyn_dyn', [DYN, DYN], BOOL,
    (target: Value, value: Value) => (isList(target) ? target.some((element) => equal(element, value) === true) : equal(target, value) === true))],
};

/** As 1.36 had it, where it belonged to device selectors and refused long lists. */
export const DEVICE_INCLUDES: Library = {
  overloads: [member('includes', 'dra_includes_dyn_dyn', [DYN, DYN], BOOL, (target: Value, value: Value) => {
    if (!isList(target)) return equal(target, value) === true;
    for (let index = 0; index < target.length; index++) {
      if (index >= MAX_VALUES) return new CelError(`'includes' function cannot be applied to lists longer than ${MAX_VALUES} values`);
      if (equal(target[index], value) === true) return true;
    }
    return false;
  })],
};

/** `resource.k8s.io/v1` ResourceSliceMaxAttributeValuesPerDevice. */
const MAX_VALUES = 48;
