import { readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Faults that can be switched on; what they do says docs/devices.md. */
export const SWITCHES = [
  'fail-discover', 'slow-discover', 'not-ready', 'vanish', 'unhealthy', 'unknown-health',
  'fail-prepare', 'refuse-prepare', 'fail-half-prepare', 'slow-prepare', 'hang-prepare',
  'fail-unprepare', 'fail-scrub', 'slow-unprepare', 'hang-unprepare',
] as const;

export type Switch = typeof SWITCHES[number];

const POLL_MS = 20;

/**
 * Switches of a folder: a file `<device>.<switch>`, or `all.<switch>`, is on while it is there.
 *
 * Its content is how many times, how many milliseconds or what message, as the switch has it.
 */
export class SimulatedSwitches {
  public constructor(private readonly folder: string | undefined) {}

  /** The switches that are on now, read once for many questions. */
  public async look(): Promise<ReadonlyMap<string, string>> {
    const on = new Map<string, string>();
    if (this.folder === undefined) return on;
    for (const name of await readdir(this.folder).catch((): string[] => [])) {
      if (!SWITCHES.some((known) => name.endsWith(`.${known}`))) continue;
      on.set(name, (await readFile(join(this.folder, name), 'utf8').catch(() => '')).trim());
    }
    return on;
  }

  /** The content of a switch of a device, where it is on. */
  public async content(device: string, name: Switch): Promise<string | undefined> {
    return contentOf(await this.look(), device, name);
  }

  /** Whether the switch is on for this time. One with a number goes off when it was asked so many times; one without stays on. */
  public async takes(device: string, name: Switch): Promise<boolean> {
    const on = await this.look();
    const file = [`${device}.${name}`, `all.${name}`].find((candidate) => on.has(candidate));
    if (file === undefined || this.folder === undefined) return false;
    const content = on.get(file) ?? '';
    if (!/^\d{1,6}$/.test(content)) return true;
    const left = Number(content) - 1;
    if (left > 0) await writeFile(join(this.folder, file), String(left));
    else await unlink(join(this.folder, file)).catch(() => undefined);
    return left >= 0;
  }

  /** Waits as long as a switch says, or while another one is on. */
  public async delay(device: string, slow: Switch, hang?: Switch): Promise<void> {
    if (this.folder === undefined) return;
    const milliseconds = Number(await this.content(device, slow) ?? '0');
    if (milliseconds > 0) await wait(milliseconds);
    while (hang !== undefined && await this.content(device, hang) !== undefined) await wait(POLL_MS);
  }
}

export function contentOf(on: ReadonlyMap<string, string>, device: string, name: Switch): string | undefined {
  return on.get(`${device}.${name}`) ?? on.get(`all.${name}`);
}

export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
