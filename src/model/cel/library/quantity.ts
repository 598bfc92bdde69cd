import { global, member } from './overload';
import type { Library } from './overload';
import { Quantity } from '../../quantity';
import { CelError, CelQuantity } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { BOOL, DOUBLE, INT, QUANTITY, STRING } from '../types/type';

/** Quantities such as `40Gi` (`k8s.io/apiserver/pkg/cel/library/quantity.go`). */
export const QUANTITIES: Library = {
  overloads: [
    global('quantity', 'string_to_quantity', [STRING], QUANTITY, quantity),
    global('isQuantity', 'is_quantity_string', [STRING], BOOL, (text: string) => Quantity.tryParse(text) instanceof Quantity),
    global('sign', 'quantity_sign', [QUANTITY], INT, (q: CelQuantity) => BigInt(q.quantity.sign())),
    member('isGreaterThan', 'quantity_is_greater_than', [QUANTITY, QUANTITY], BOOL, (a: CelQuantity, b: CelQuantity) => a.quantity.compareTo(b.quantity) > 0),
    member('isLessThan', 'quantity_is_less_than', [QUANTITY, QUANTITY], BOOL, (a: CelQuantity, b: CelQuantity) => a.quantity.compareTo(b.quantity) < 0),
    member('compareTo', 'quantity_compare_to', [QUANTITY, QUANTITY], INT, (a: CelQuantity, b: CelQuantity) => ORDER[a.quantity.compareTo(b.quantity) + 1]),
    member('asApproximateFloat', 'quantity_get_float', [QUANTITY], DOUBLE, (q: CelQuantity) => q.quantity.asApproximateNumber()),
    member('asInteger', 'quantity_get_int', [QUANTITY], INT,
      (q: CelQuantity) => q.quantity.asInteger() ?? new CelError('cannot convert value to integer')),
    member('isInteger', 'quantity_is_integer', [QUANTITY], BOOL, (q: CelQuantity) => q.quantity.asInteger() !== undefined),
    member('add', 'quantity_add', [QUANTITY, QUANTITY], QUANTITY, (a: CelQuantity, b: CelQuantity) => computed(a.quantity.add(b.quantity))),
    member('add', 'quantity_add_int', [QUANTITY, INT], QUANTITY, (q: CelQuantity, n: bigint) => computed(q.quantity.add(Quantity.of(n, 'DecimalExponent')))),
    member('sub', 'quantity_sub', [QUANTITY, QUANTITY], QUANTITY, (a: CelQuantity, b: CelQuantity) => computed(a.quantity.sub(b.quantity))),
    member('sub', 'quantity_sub_int', [QUANTITY, INT], QUANTITY, (q: CelQuantity, n: bigint) => computed(q.quantity.sub(Quantity.of(n, 'DecimalExponent')))),
  ],
};

const ORDER = [-1n, 0n, 1n];

/** The last texts that were parsed; selectors name few. */
const parsed = new Map<string, Value>();
const MAX_PARSED = 200;

function quantity(text: string): Value {
  let value = parsed.get(text);
  if (value === undefined) {
    const found = Quantity.tryParse(text);
    value = found instanceof Quantity ? new CelQuantity(found) : new CelError(text !== '' && SUFFIX.test(text) ? NOT_A_SUFFIX : NOT_A_QUANTITY);
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, value);
  }
  return value;
}

function computed(value: Quantity): CelQuantity {
  return new CelQuantity(value, true);
}

const NOT_A_QUANTITY = 'quantities must match the regular expression \'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$\'';
const NOT_A_SUFFIX = 'unable to parse quantity\'s suffix';
/** A text of the right shape, which upstream refuses for its suffix. */
const SUFFIX = /^[+-]?(?:\d+\.?\d*|\.\d+|\.?)[eEinumkKMGTP]*[+-]?\d*$/;
