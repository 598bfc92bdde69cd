import type { Io } from '../io.js';

const SILENT_MS = 2000;
const INTERVAL_MS = 100;
const WIDTH = 78;

/** One line on standard error that is written over and over; silent for quick runs and where nobody watches. */
export class Progress {
  private readonly start: number;
  private shownAt = 0;
  private isShown = false;

  public constructor(private readonly io: Io) {
    this.start = io.now();
  }

  public show(text: string): void {
    if (!this.io.isWatched) return;
    const now = this.io.now();
    if (now - this.start < SILENT_MS || now - this.shownAt < INTERVAL_MS) return;
    this.shownAt = now;
    this.isShown = true;
    const plain = text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
    this.io.err(`\r${(plain.length > WIDTH ? `${plain.slice(0, WIDTH - 1)}…` : plain).padEnd(WIDTH)}`);
  }

  public clear(): void {
    if (this.isShown) this.io.err(`\r${' '.repeat(WIDTH)}\r`);
    this.isShown = false;
  }
}
