/** A container of a pod, init containers first, and how many devices of a kind it asks for. */
export interface DeviceAsk {
  readonly count: number;
  /** An init container that ends before the next begins. */
  readonly isStep: boolean;
}

/** What comes of it. */
export interface DeviceShare {
  /** Devices that the pod needs on account of this container. */
  readonly own: number;
  /** Places of the containers whose devices this one gets, its own place last if it has any. */
  readonly from: readonly number[];
}

/**
 * Who gets whose devices: a step takes those of what begins after it and stays, and what is missing the largest step needs beside, for all steps.
 *
 * As `createRequestsAndMappings` of the scheduler does from 1.35 on, and as device plugins were always counted.
 */
export function shareDevices(asks: readonly DeviceAsk[]): readonly DeviceShare[] {
  const later = asks.map(({ count, isStep }, index): DeviceShare => {
    if (!isStep) return { own: count, from: count > 0 ? [index] : [] };
    const from: number[] = [];
    let missing = count;
    for (let other = index; other < asks.length && missing > 0; other++) {
      if (asks[other].isStep || asks[other].count <= 0) continue;
      from.push(other);
      missing -= asks[other].count;
    }
    return { own: Math.max(0, missing), from };
  });
  const isMissing = (index: number): boolean => asks[index].isStep && later[index].own > 0;
  const most = later.reduce((found, { own }, index) => (isMissing(index) && own > (later[found]?.own ?? 0) ? index : found), -1);
  return later.map((share, index) => (isMissing(index) ? { own: index === most ? share.own : 0, from: [...share.from, most] } : share));
}
