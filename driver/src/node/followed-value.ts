import type { Followed } from './device-state.js';

/** A value with one writer. Listeners are told in the order in which they began to follow; one that throws fails the writer, so none may. */
export class FollowedValue<T> implements Followed<T> {
  private readonly listeners = new Set<{ readonly tell: (value: T) => void }>();

  public constructor(private value: T) {}

  public get current(): T {
    return this.value;
  }

  /** Tells all listeners, also when the value is an equal one: whether something changed is the writer's knowledge. */
  public set(value: T): void {
    this.value = value;
    for (const listener of [...this.listeners]) if (this.listeners.has(listener)) listener.tell(value);
  }

  public follow(tell: (value: T) => void): () => void {
    const listener = { tell };
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
