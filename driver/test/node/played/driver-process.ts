import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Clock ticks a second in `/proc`, which Linux fixes for all that read it. */
const TICKS = 100;

/** A driver that runs as a process of its own: ours from its bundle, or somebody else's. */
export class DriverProcess {
  public static start(command: string, args: readonly string[], env: Readonly<Record<string, string>>): DriverProcess {
    return new DriverProcess(spawn(command, args, { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'ignore', 'pipe'] }));
  }

  public readonly ended: Promise<ProcessEnd>;
  /** What it wrote to standard error, its last 64 KiB. */
  public log = '';

  private constructor(private readonly child: ChildProcess) {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => { this.log = (this.log + text).slice(-65_536); });
    this.ended = new Promise((resolve) => { child.once('close', (code, signal) => resolve({ code, signal })); });
  }

  public get pid(): number {
    return this.child.pid!;
  }

  public get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Ends it and waits for that. */
  public async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessEnd> {
    if (this.isRunning) this.child.kill(signal);
    return this.ended;
  }

  /** Resident memory in bytes; `own`: without the pages of its program, which all processes of a node share and which can be read again. */
  public residentBytes({ own = false } = {}): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const [, kibibytes = '0'] = (own ? /^RssAnon:\s+(\d+) kB/m : /^VmRSS:\s+(\d+) kB/m).exec(status) ?? [];
    return Number(kibibytes) * 1024;
  }

  /** Time of processors so far, of all its threads, in milliseconds. */
  public processorMilliseconds(): number {
    const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 1000 / TICKS;
  }
}
