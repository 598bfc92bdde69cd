import type { HostReader } from './host-reader.js';
import { keyValues, wholeNumber } from './key-values.js';

/** Counters of errors since boot, of which only growth is news. */
export class ErrorCounters {
  private readonly seen = new Map<string, { readonly count: number; readonly grownAt?: number }>();

  public constructor(private readonly now: () => number) {}

  /** Whether the counter grew within the quiet time. The first look only remembers: what was before is not ours to judge. */
  public hasGrown(name: string, count: number): boolean {
    const before = this.seen.get(name);
    const grownAt = before !== undefined && count > before.count ? this.now() : before?.grownAt;
    this.seen.set(name, { count, ...(grownAt !== undefined && { grownAt }) });
    return grownAt !== undefined && this.now() - grownAt < QUIET_MS;
  }
}

/** After a fatal error the link was reset and may work again; a card that has another one soon is not to be trusted meanwhile. */
const QUIET_MS = 10 * 60_000;

/** Uncorrectable fatal errors that a PCI function saw since boot; undefined where the kernel does not count them. */
export async function fatalBusErrors(host: HostReader, address: string): Promise<number | undefined> {
  const text = await host.text(`/sys/bus/pci/devices/${address}/aer_dev_fatal`);
  return text === undefined ? undefined : wholeNumber(keyValues(text).get('TOTAL_ERR_FATAL'));
}
