import { BOOL, BYTES, DOUBLE, INT, NULL, STRING, UINT } from './type';
import type { Type } from './type';
import type { LiteralValue } from '../syntax/ast';

export function literalType(value: LiteralValue): Type {
  switch (typeof value) {
    case 'boolean': return BOOL;
    case 'bigint': return INT;
    case 'number': return DOUBLE;
    case 'string': return STRING;
    default: return value === null ? NULL : value instanceof Uint8Array ? BYTES : UINT;
  }
}
