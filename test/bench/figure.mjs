/**
 * One thing that was measured several times: wall clock and CPU in milliseconds, memory in bytes.
 *
 * What is wanted is printed beside what is measured; nothing fails because of it.
 */
export class Figure {
  samples = [];

  constructor(name, wanted = '') {
    this.name = name;
    this.wanted = wanted;
  }

  add(sample) {
    this.samples.push(sample);
  }

  /** Quotient of the medians of two figures of one run. */
  over(other, name, wanted = '') {
    const quotient = key => this.median(key) / other.median(key);
    return { name, wall: quotient('wall'), cpu: quotient('cpu'), wanted };
  }

  median(key) {
    return median(this.samples.map(sample => sample[key]));
  }

  min(key) {
    return Math.min(...this.samples.map(sample => sample[key]));
  }
}

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
