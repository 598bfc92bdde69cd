import { isUtf8 } from 'node:buffer';

import type { ReportProblem } from '../inventory.js';
import { HostFileError } from './host-file-error.js';
import type { DeviceNumbers, HostRoot } from './host-root.js';

/**
 * Reads a host that may be half broken: what is not there is undefined, what is there and cannot be used is undefined and reported, once.
 *
 * An empty attribute is as good as none, so that no empty text ever becomes a fact about a device.
 */
export class HostReader {
  private readonly reported = new Set<string>();

  public constructor(public readonly root: HostRoot, private readonly report: ReportProblem) {}

  public async text(path: string, maxBytes?: number): Promise<string | undefined> {
    return this.leniently(async () => {
      const bytes = await this.root.read(path, maxBytes);
      if (!isUtf8(bytes)) throw new HostFileError('not-text', path, 'is no UTF-8 text');
      // Takes away the mark of the byte order, too.
      return bytes.toString('utf8').trim() || undefined;
    });
  }

  /** A number in decimal, or in hexadecimal with 0x. */
  public async integer(path: string): Promise<number | undefined> {
    const text = await this.text(path);
    if (text === undefined) return undefined;
    const value = /^(?:-?\d{1,16}|0x[0-9a-f]{1,13})$/i.test(text) ? Number(text) : NaN;
    if (Number.isSafeInteger(value)) return value;
    this.say(path, 'holds no whole number');
    return undefined;
  }

  /** Natural order; empty when the folder is not there. */
  public async list(path: string): Promise<string[]> {
    return await this.leniently(() => this.root.list(path)) ?? [];
  }

  /** Where a link leads, as a path of the host. */
  public target(path: string): Promise<string | undefined> {
    return this.leniently(() => this.root.target(path));
  }

  public exists(path: string): Promise<boolean> {
    return this.root.exists(path);
  }

  public deviceNode(path: string): Promise<DeviceNumbers | undefined> {
    return this.root.deviceNode(path);
  }

  /** Bytes of a file that is no text, such as the configuration space of a PCI function. */
  public bytes(path: string, maxBytes: number): Promise<Buffer | undefined> {
    return this.leniently(() => this.root.read(path, maxBytes));
  }

  private async leniently<T>(act: () => Promise<T>): Promise<T | undefined> {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof HostFileError)) throw error;
      if (error.reason !== 'absent') this.say(error.path, error.message.slice(error.path.length + 1));
      return undefined;
    }
  }

  private say(path: string, what: string): void {
    if (this.reported.has(path)) return;
    this.reported.add(path);
    this.report({ code: 'DRA345', subject: path, message: `${path} ${what}; what it says is left out.` });
  }
}
