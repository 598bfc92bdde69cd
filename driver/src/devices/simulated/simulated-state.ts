import { mkdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a claim has set up in a pretended device. */
export interface SimulatedUse {
  readonly claimUid: string;
  readonly shareId?: string;
  /** Only begun: prepare ended half-way. */
  readonly half?: boolean;
}

/** What the pretended hardware holds, so that a test can end the agent anywhere and see what the next one finds: a file a device. */
export class SimulatedState {
  private readonly memory = new Map<string, readonly SimulatedUse[]>();

  public constructor(private readonly folder: string | undefined) {}

  public async uses(device: string): Promise<readonly SimulatedUse[]> {
    if (this.folder === undefined) return this.memory.get(device) ?? [];
    const text = await readFile(this.file(device), 'utf8').catch(() => '[]');
    return JSON.parse(text) as SimulatedUse[];
  }

  /** Replaces the file as a whole, so that no reader ever sees half of it. */
  public async set(device: string, uses: readonly SimulatedUse[]): Promise<void> {
    if (this.folder === undefined) {
      this.memory.set(device, uses);
      return;
    }
    const file = this.file(device);
    if (uses.length === 0) return unlink(file).catch(() => undefined);
    await mkdir(this.folder, { recursive: true });
    const fresh = `${file}.${process.pid}.new`;
    await writeFile(fresh, `${JSON.stringify(uses)}\n`);
    await rename(fresh, file);
  }

  private file(device: string): string {
    return join(this.folder ?? '', `${device}.json`);
  }
}
