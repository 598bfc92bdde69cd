import type { Followed } from '../../device-state.js';
import { FollowedValue } from '../../followed-value.js';
import { failure } from '../failure.js';
import { turnOrLeave } from '../turn-or-leave.js';

/**
 * - `seeking`: not yet the one that writes, and about to be; calls wait.
 * - `writing`: records, hardware and slices are this agent's.
 * - `ending`: what is under way is finished, nothing new is begun.
 * - `standby`: another agent writes and kubelet should call that one.
 */
export type WritingState = 'seeking' | 'writing' | 'ending' | 'standby';

/** Whether this agent is the one that writes, and what that means for a call. */
export class WritingTime {
  private readonly value = new FollowedValue<WritingState>('seeking');
  private endings = new AbortController();
  /** Asked at each beginning, since a person may take the lock away. */
  private isHolder: () => boolean = () => false;

  public get state(): Followed<WritingState> {
    return this.value;
  }

  /** Aborted at the end of the time that is now. */
  public get ended(): AbortSignal {
    return this.endings.signal;
  }

  public set(state: WritingState, isHolder: () => boolean = () => false): void {
    this.isHolder = isHolder;
    if (state === 'writing') this.endings = new AbortController();
    this.value.set(state);
    if (state !== 'writing') this.endings.abort();
  }

  /** Waits until this agent writes; throws when it will not, or when kubelet does not wait so long. */
  public async begun(signal: AbortSignal): Promise<void> {
    while (this.value.current === 'seeking') {
      let unfollow: () => void = () => undefined;
      await turnOrLeave(new Promise<void>((resolve) => (unfollow = this.value.follow(() => resolve()))), signal);
      unfollow();
      if (signal.aborted) throw failure('DRA303', 'another agent still holds the records of this node');
    }
    this.mayBegin();
  }

  /** Throws when nothing new may be begun. */
  public mayBegin(): void {
    if (this.value.current !== 'writing') throw failure('DRA303', this.value.current === 'ending' ? 'this agent is ending' : 'this agent has left the records of this node to another');
    if (!this.isHolder()) throw failure('DRA303', 'the lock of the records of this node was taken away');
  }
}
