import { Quantity } from '../quantity';
import type { CounterSet, CounterUse, SliceDevice } from './slice';

/** The counters of one pool: what there is, and what the devices chosen so far take. */
export class Counters {
  private readonly names = new Map<string, number>();
  private readonly labels: string[] = [];
  private readonly available: Quantity[] = [];
  private readonly consumed: (Quantity | undefined)[] = [];
  /** The same as numbers while all amounts are small and whole, which is nearly always. */
  private numbers: { readonly available: number[]; readonly consumed: number[] } | undefined;
  private readonly uses = new Map<SliceDevice, Use>();

  public constructor(sets: Iterable<CounterSet>, allocated: Iterable<SliceDevice>) {
    for (const set of sets) {
      for (const counter of set.counters) {
        this.names.set(keyOf(set.name, counter.name), this.available.length);
        this.labels.push(`${set.name}/${counter.name}`);
        this.available.push(counter.value);
      }
    }
    for (const device of allocated) {
      const { at, amounts } = this.useOf(device.consumesCounters);
      for (let i = 0; i < at.length; i++) this.available[at[i]] = this.available[at[i]].sub(amounts[i]);
    }
    const small = this.available.map(smallNumber);
    if (!small.includes(undefined)) {
      this.numbers = { available: small as number[], consumed: small.map(() => 0) };
    }
  }

  /** Takes the counters of a device; when some counter of the pool would then be overdrawn, takes nothing and names it. */
  public take(device: SliceDevice): string | undefined {
    this.move(device, 1);
    const short = this.overdrawn();
    if (short === undefined) return undefined;
    this.move(device, -1);
    return this.labels[short];
  }

  public giveBack(device: SliceDevice): void {
    this.move(device, -1);
  }

  private overdrawn(): number | undefined {
    if (this.numbers) {
      const { available, consumed } = this.numbers;
      for (let i = 0; i < available.length; i++) if (available[i] < consumed[i]) return i;
      return undefined;
    }
    for (let i = 0; i < this.available.length; i++) {
      const consumed = this.consumed[i];
      if ((consumed ? this.available[i].compareTo(consumed) : this.available[i].sign()) < 0) return i;
    }
    return undefined;
  }

  private move(device: SliceDevice, direction: 1 | -1): void {
    let use = this.uses.get(device);
    if (!use) this.uses.set(device, use = this.useOf(device.consumesCounters));
    if (this.numbers) {
      if (use.numbers) {
        const { consumed } = this.numbers;
        for (let i = 0; i < use.at.length; i++) consumed[use.at[i]] += direction * use.numbers[i];
        return;
      }
      this.widen();
    }
    for (let i = 0; i < use.at.length; i++) {
      const before = this.consumed[use.at[i]];
      const amount = direction === 1 ? use.amounts[i] : use.amounts[i].neg();
      this.consumed[use.at[i]] = before ? before.add(amount) : amount;
    }
  }

  private widen(): void {
    const consumed = this.numbers?.consumed ?? [];
    this.numbers = undefined;
    for (let i = 0; i < consumed.length; i++) this.consumed[i] = Quantity.of(BigInt(consumed[i]));
  }

  /** The counters of the pool that a device takes; others are never looked at. */
  private useOf(consumption: readonly CounterUse[]): Use {
    const at: number[] = [];
    const amounts: Quantity[] = [];
    for (const use of consumption) {
      for (const counter of use.counters) {
        const index = this.names.get(keyOf(use.counterSet, counter.name));
        if (index === undefined) continue;
        at.push(index);
        amounts.push(counter.value);
      }
    }
    const numbers = amounts.map(smallNumber);
    return { at, amounts, ...(numbers.includes(undefined) ? {} : { numbers: numbers as number[] }) };
  }
}

interface Use {
  readonly at: readonly number[];
  readonly amounts: readonly Quantity[];
  readonly numbers?: readonly number[];
}

function smallNumber(quantity: Quantity): number | undefined {
  const value = quantity.asInteger();
  return value !== undefined && value <= SMALL && value >= -SMALL ? Number(value) : undefined;
}

/** Sums of 512 of these are exact. */
const SMALL = 2n ** 44n;

function keyOf(set: string, counter: string): string {
  return `${set}\n${counter}`;
}
