import type { OwnerNode } from './slices/slice-object.js';

/** Something of the agent that begins and ends. */
export interface AgentPart {
  start(): Promise<void> | void;
  stop(): Promise<void>;
}

/** A part that runs only while it is wanted, for one Node at a time: what it writes is owned by that Node's UID. */
export class PartForNode {
  private wanted: OwnerNode | undefined;
  private running: { readonly node: OwnerNode; readonly part: AgentPart } | undefined;
  private work: Promise<void> = Promise.resolve();

  public constructor(private readonly make: (node: OwnerNode) => AgentPart, private readonly failed: (error: unknown) => void) {}

  public get isRunning(): boolean {
    return this.running !== undefined;
  }

  public want(node: OwnerNode | undefined): void {
    this.wanted = node;
    this.work = this.work.then(() => this.settle());
  }

  /** Resolves when what is wanted is so. */
  public async settled(): Promise<void> {
    await this.work;
  }

  private async settle(): Promise<void> {
    while (this.running?.node.uid !== this.wanted?.uid) {
      const { running, wanted } = this;
      try {
        this.running = undefined;
        await running?.part.stop();
        if (wanted === undefined) continue;
        const part = this.make(wanted);
        this.running = { node: wanted, part };
        await part.start();
      } catch (error) {
        this.failed(error);
        return;
      }
    }
  }
}
