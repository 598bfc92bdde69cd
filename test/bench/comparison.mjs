import { median } from './figure.mjs';

/**
 * One operation that was timed on both sides, ours and upstream's. A sample is one process: `median` and `min` are those of its batches
 * in wall clock, `cpu` is the processor time of the process for one operation; all in nanoseconds.
 */
export class Comparison {
  ours = [];
  upstream = [];

  /** @param wanted `{ ratio }`: at most this part of upstream's time; `{ microseconds }`: at most that long; or nothing */
  constructor(name, wanted = {}) {
    this.name = name;
    this.wanted = wanted;
  }

  add(ours, upstream) {
    this.ours.push(ours);
    if (upstream !== undefined) this.upstream.push(upstream);
  }

  /** Quotient of the medians, by wall clock or processor time; undefined without upstream. */
  ratio(key = 'median') {
    return this.upstream.length === 0 ? undefined : this.value('ours', key) / this.value('upstream', key);
  }

  value(side, key) {
    const samples = this[side].map(sample => sample[key]);
    return key === 'min' ? Math.min(...samples) : median(samples);
  }

  toJSON() {
    const { name, wanted, ours, upstream } = this;
    return { name, wanted, ours, upstream, ratio: this.ratio(), cpuRatio: this.ratio('cpu') };
  }
}
