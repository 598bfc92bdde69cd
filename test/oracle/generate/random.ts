const MODULUS = 2 ** 31 - 1;

/** Numbers that look random and are the same for the same seed, on every machine (Park and Miller's generator). */
export class Random {
  private state: number;

  public constructor(seed: number) {
    this.state = 1 + (seed % (MODULUS - 1));
    // The first numbers of near seeds are alike.
    for (let step = 0; step < 10; step++) this.below(1);
  }

  /** A whole number from 0 to `below` - 1. */
  public below(below: number): number {
    this.state = (this.state * 48271) % MODULUS;
    return Math.floor((this.state / MODULUS) * below);
  }

  /** A whole number from `from` to `to`, both included. */
  public between(from: number, to: number): number {
    return from + this.below(to - from + 1);
  }

  /** True once in `times`. */
  public once(times: number): boolean {
    return this.below(times) === 0;
  }

  public pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)];
  }

  /** `count` different entries in the order of the list, all if there are fewer. */
  public some<T>(from: readonly T[], count: number): T[] {
    const indexes = new Set<number>();
    while (indexes.size < Math.min(count, from.length)) indexes.add(this.below(from.length));
    return from.filter((_, index) => indexes.has(index));
  }

  public shuffled<T>(from: readonly T[]): T[] {
    const rest = [...from];
    const result: T[] = [];
    while (rest.length > 0) result.push(...rest.splice(this.below(rest.length), 1));
    return result;
  }

  public list<T>(count: number, entry: (index: number) => T): T[] {
    return Array.from({ length: count }, (_, index) => entry(index));
  }
}
