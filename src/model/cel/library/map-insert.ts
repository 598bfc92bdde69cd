import { global } from './overload';
import type { Library } from './overload';
import { LiteralMap } from '../evaluate/map';
import type { CelMap } from '../evaluate/map';
import { goText } from '../evaluate/text';
import { CelError } from '../evaluate/value';
import type { Value } from '../evaluate/value';
import { MAP_INSERT } from '../syntax/two-variable-macros';
import { mapType, typeParameter } from '../types/type';

const K = typeParameter('K');
const V = typeParameter('V');
const MAP = mapType(K, V);

/** What `transformMap` and `transformMapEntry` fold with. */
export const MAP_INSERTS: Library = {
  overloads: [
    global(MAP_INSERT, '@mapInsert_map_key_value', [MAP, K, V], MAP, insert),
    global(MAP_INSERT, '@mapInsert_map_map', [MAP, MAP], MAP, (map: CelMap, added: CelMap) => {
      let result: Value = map;
      for (const key of added.keys()) {
        result = insert(result as CelMap, key, added.find(key) ?? null);
        if (result instanceof CelError) return result;
      }
      return result;
    }),
  ],
};

function insert(map: CelMap, key: Value, value: Value): Value {
  if (map.findOwn(key) !== undefined) return new CelError(`insert failed: key ${goText(key)} already exists`);
  const target = map instanceof LiteralMap && map.growing ? map : copyOf(map);
  target.set(key, value);
  return target;
}

function copyOf(map: CelMap): LiteralMap {
  const copy = new LiteralMap();
  for (const key of map.keys()) copy.set(key, map.find(key) ?? null);
  return copy;
}
