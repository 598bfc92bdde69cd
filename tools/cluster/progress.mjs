/** Says how far a long step is: one line that rewrites itself on a terminal, a line now and then elsewhere. */
export class Progress {
  #title;
  #total;
  #count = 0;
  #start = Date.now();
  #told = Date.now();
  #out;

  /** @param {string} title @param {number} total */
  constructor(title, total, out = process.stderr) {
    this.#title = title;
    this.#total = total;
    this.#out = out;
  }

  step() {
    this.#count++;
    const now = Date.now();
    if (now - this.#told < (this.#out.isTTY ? 200 : 30_000)) return;
    this.#told = now;
    this.#out.write(this.#out.isTTY ? `\r\u001b[K${this.#line()}` : `${this.#line()}\n`);
  }

  end() {
    if (this.#out.isTTY) this.#out.write('\r\u001b[K');
    this.#out.write(`${this.#title}: done in ${elapsed(this.#start)}\n`);
  }

  #line() {
    return `${this.#title}: ${this.#count} of at most ${this.#total} packages, ${elapsed(this.#start)}`;
  }
}

/** Time since a moment, such as `3 m 12 s`. */
export function elapsed(start) {
  const seconds = Math.round((Date.now() - start) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}
