import type { Followed, Isolation } from './device-state.js';
import { FollowedValue } from './followed-value.js';

/** The isolations of all who may isolate a device, as one value; of two reasons for a device the older one stands. */
export class IsolationBook implements Followed<readonly Isolation[]> {
  private readonly bySource = new Map<string, readonly Isolation[]>();
  private readonly value = new FollowedValue<readonly Isolation[]>([]);

  public get current(): readonly Isolation[] {
    return this.value.current;
  }

  public follow(listener: (value: readonly Isolation[]) => void): () => void {
    return this.value.follow(listener);
  }

  /** Replaces what a source says; nobody is told when it said the same before. */
  public set(source: string, isolations: readonly Isolation[]): void {
    const before = this.bySource.get(source) ?? [];
    if (before.length === isolations.length && before.every((one, index) => isSame(one, isolations[index]!))) return;
    this.bySource.set(source, isolations);
    this.value.set(this.merged());
  }

  private merged(): readonly Isolation[] {
    const byDevice = new Map<string, Isolation>();
    for (const isolation of [...this.bySource.values()].flat()) {
      const other = byDevice.get(isolation.device);
      if (other === undefined || Date.parse(isolation.since) < Date.parse(other.since)) byDevice.set(isolation.device, isolation);
    }
    return [...byDevice.values()].sort((a, b) => (a.device < b.device ? -1 : 1));
  }
}

function isSame(one: Isolation, two: Isolation): boolean {
  return one.device === two.device && one.code === two.code && one.message === two.message && one.since === two.since;
}
