import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A program that measures one question a line; started afresh for every run. */
export class TimedProgram {
  #child;
  #answers;

  constructor(command, args) {
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#answers = createInterface({ input: this.#child.stdout, crlfDelay: Infinity })[Symbol.asyncIterator]();
  }

  async ask(question) {
    this.#child.stdin.write(`${question}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`${this.#child.spawnargs.join(' ')} ended without an answer to ${question.slice(0, 300)}`);
    const answer = JSON.parse(value);
    if (answer.inputError !== undefined) throw new Error(`${this.#child.spawnargs.join(' ')}: ${answer.inputError}`);
    return answer;
  }

  async close() {
    this.#child.stdin.end();
    if (this.#child.exitCode === null) await once(this.#child, 'close');
  }
}
