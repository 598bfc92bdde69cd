import type { NodeFailure } from '../../devices/node-failure.js';
import type { ClaimName } from '../claim-service.js';
import type { EventSink, Notice } from './claim-observer.js';
import { textForKubelet } from './failure.js';

/**
 * Events about claims, ever more rarely for the same: kubelet tries a claim again and again, and says so itself each time.
 *
 * The same failure of one claim is told the first, second, fourth, eighth … time.
 */
export class BoundedEvents {
  private readonly counts = new Map<string, number>();

  public constructor(private readonly sink: EventSink) {}

  public failed(claim: ClaimName, failed: NodeFailure): void {
    const key = `${claim.uid}/${failed.code}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    // Again at the end, so that the oldest is the first to be forgotten.
    this.counts.delete(key);
    this.counts.set(key, count);
    if (this.counts.size > MOST_REMEMBERED) this.counts.delete(this.counts.keys().next().value!);
    if (!Number.isInteger(Math.log2(count))) return;
    const again = count === 1 ? '' : ` (${count} times)`;
    this.sink.emit({ type: 'Warning', reason: REASONS[failed.failureClass], message: `${textForKubelet(failed)}${again}`, claim });
  }

  /** What kubelet is not told. */
  public noticed({ code, message, claim }: Notice): void {
    if (code === undefined) return;
    const { uid, namespace, name } = claim ?? {};
    this.sink.emit({
      type: 'Warning',
      reason: 'DeviceClaimNoticed',
      message: `${code}: ${message}`,
      ...(uid === undefined || namespace === undefined || name === undefined ? {} : { claim: { uid, namespace, name } }),
    });
  }

  /** The claim is done with; should the same happen to it again, it is news. */
  public forget(uid: string): void {
    for (const key of [...this.counts.keys()]) if (key.startsWith(`${uid}/`)) this.counts.delete(key);
  }
}

const MOST_REMEMBERED = 1024;
const REASONS = { 'retryable': 'DevicesNotPrepared', 'terminal': 'DevicesRefused', 'needs-cleanup': 'DeviceUnclean' } as const;
