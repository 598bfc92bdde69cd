/** A value of JSON; integers beyond 2^53 are strings in our own files. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}
