/** What a command did and could not do, with the time of each step. */
export class StepLog {
  private readonly begun = Date.now();
  private readonly lines: string[] = [];
  private readonly missed: string[] = [];
  private readonly asides: string[] = [];

  public did(text: string): void {
    this.lines.push(`${new Date().toISOString().slice(11, 23)}Z  ${text}`);
  }

  public didNot(text: string): void {
    this.missed.push(text);
  }

  /** What is worth knowing and no failure. */
  public note(text: string): void {
    this.asides.push(text);
  }

  public get steps(): readonly string[] {
    return this.lines;
  }

  public get notDone(): readonly string[] {
    return this.missed;
  }

  public get notes(): readonly string[] {
    return this.asides;
  }

  /** `0.3 s`, since the start. */
  public get elapsed(): string {
    return `${((Date.now() - this.begun) / 1000).toFixed(1)} s`;
  }
}
