/**
 * Work on hardware: what touches the same piece one after another in order of arrival, the rest at once.
 *
 * All keys of a piece of work are taken in one step, so that two of them can never wait for each other.
 */
export class PartOrder {
  private readonly tails = new Map<string, Promise<void>>();

  public async run<T>(parts: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = new Set(parts.flatMap((part) => this.tails.get(part) ?? []));
    const result = before.size === 0 ? work() : Promise.all(before).then(work);
    const ended = result.then(() => undefined, () => undefined).then(() => {
      for (const part of parts) if (this.tails.get(part) === ended) this.tails.delete(part);
    });
    for (const part of parts) this.tails.set(part, ended);
    return result;
  }
}
