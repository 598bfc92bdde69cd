import { median } from './figure.mjs';

/** One quantity that was read on both sides, ours and upstream's, once a run or less; every side has its own number of values. */
export class Reading {
  ours = [];
  upstream = [];

  /** @param unit such as `ms`, printed with the name; `wanted` is text, printed beside what was read */
  constructor(name, unit, wanted = '') {
    this.name = name;
    this.unit = unit;
    this.wanted = wanted;
  }

  add(side, value) {
    this[side].push(value);
  }

  /** Of all runs; undefined when that side was not read. */
  median(side) {
    return this[side].length === 0 ? undefined : median(this[side]);
  }

  max(side) {
    return this[side].length === 0 ? undefined : Math.max(...this[side]);
  }
}
