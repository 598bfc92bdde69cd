import type { CountOrPercent } from '../model/api';

/** A number of nodes, or a share of a pool. */
export class NodeCount {
  /** So many nodes. */
  public static absolute(nodes: number): NodeCount {
    return new NodeCount(nodes);
  }

  /** A share of the pool from 0 to 100, rounded up to whole nodes. */
  public static percent(percent: number): NodeCount {
    return new NodeCount(`${percent}%`);
  }

  private constructor(private readonly value: CountOrPercent) {}

  /** @internal */
  public _toJson(): CountOrPercent {
    return this.value;
  }
}
