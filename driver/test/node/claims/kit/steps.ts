/** An error as the operating system gives it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}

/** What happens to one step of the outside world. */
export type Fault = (step: string) => Error | undefined;

/**
 * Everything that an agent does to the outside world passes here, step by step, so that it can be stopped or failed anywhere.
 *
 * A process that was killed goes on nowhere: its steps never return.
 */
export class Steps {
  /** In order, as far as they were begun. */
  public readonly taken: string[] = [];
  /** Resolves when the process is killed. */
  public readonly death: Promise<void>;
  public fault: Fault | undefined;
  private isDead = false;
  private killed: (() => void) | undefined;

  /** `killAt`: the half step at which the process is killed; step n begins with half step 2n and has ended with 2n + 1. */
  public constructor(private readonly killAt = Infinity, private readonly pace: (step: string) => Promise<void> = async () => undefined) {
    this.death = new Promise((resolve) => (this.killed = resolve));
  }

  public get halfSteps(): number {
    return this.taken.length * 2;
  }

  public kill(): void {
    this.isDead = true;
    this.killed?.();
  }

  public async take<T>(step: string, change: () => T): Promise<T> {
    const number = this.taken.push(step) - 1;
    await this.pace(step);
    await this.pass(2 * number);
    const error = this.fault?.(step);
    if (error !== undefined) throw error;
    const result = change();
    await this.pass(2 * number + 1);
    return result;
  }

  private async pass(halfStep: number): Promise<void> {
    if (halfStep === this.killAt) this.kill();
    if (this.isDead) await new Promise<never>(() => undefined);
  }
}
