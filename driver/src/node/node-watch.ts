import { agentMode, ownerLabel } from 'cdk8s-dra/model';

import type { AgentMode, Followed } from './device-state.js';
import { FollowedValue } from './followed-value.js';
import type { KubeClient } from '../kube/kube-client.js';
import { ObjectMirror } from '../kube/object-mirror.js';
import type { KubeObject } from '../kube/object.js';
import { NODES } from '../kube/resource.js';
import type { OwnerNode } from './slices/slice-object.js';

export interface NodeWatchOptions {
  readonly client: KubeClient;
  readonly nodeName: string;
  readonly family: string;
  /** Told when the Node could not be read; the watch goes on by itself. */
  readonly trouble: (error: unknown) => void;
  /** Milliseconds without any word of the API server after which the mode is frozen. */
  readonly patience?: number;
}

/** Who owns the devices of the family, as the label says. */
export type DeviceOwner = 'device-plugin' | 'handover' | 'dra' | 'unknown';

/**
 * The agent's own Node, for its labels and annotation.
 *
 * Before the first word, without a word for long, and when the Node is gone, nobody knows what the agent may do: that is `frozen`.
 */
export class NodeWatch {
  private readonly modeValue = new FollowedValue<AgentMode>('frozen');
  private readonly nodeValue = new FollowedValue<OwnerNode | undefined>(undefined);
  private readonly mirror: ObjectMirror;
  private marks: KubeObject | undefined;
  private timer: NodeJS.Timeout | undefined;

  public constructor(private readonly options: NodeWatchOptions) {
    const fieldSelector = `metadata.name=${options.nodeName}`;
    this.mirror = new ObjectMirror(options.client, NODES, { fieldSelector }, { changed: () => this.read(), trouble: (error) => this.doubt(error) });
  }

  public get mode(): Followed<AgentMode> {
    return this.modeValue;
  }

  /** Undefined until it was read; another UID is another Node of that name. */
  public get node(): Followed<OwnerNode | undefined> {
    return this.nodeValue;
  }

  public get owner(): DeviceOwner {
    if (this.marks === undefined) return 'unknown';
    const label = this.marks.metadata?.labels?.[ownerLabel(this.options.family)] ?? 'device-plugin';
    return label === 'dra' || label === 'handover' || label === 'device-plugin' ? label : 'unknown';
  }

  public start(): void {
    this.mirror.start();
  }

  public async stop(): Promise<void> {
    clearTimeout(this.timer);
    await this.mirror.stop();
    clearTimeout(this.timer);
  }

  private read(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const [node] = this.mirror.objects;
    this.marks = node;
    const { uid } = node?.metadata ?? {};
    if (uid !== undefined && uid !== this.nodeValue.current?.uid) this.nodeValue.set({ name: this.options.nodeName, uid });
    this.setMode(node === undefined ? 'frozen' : agentMode(this.options.family, node.metadata ?? {}));
  }

  /** A watch may break at any time and goes on within a second; only a longer silence is one. */
  private doubt(error: unknown): void {
    this.options.trouble(error);
    this.timer ??= setTimeout(() => {
      this.marks = undefined;
      this.setMode('frozen');
    }, this.options.patience ?? PATIENCE);
    this.timer.unref();
  }

  private setMode(mode: AgentMode): void {
    if (mode !== this.modeValue.current) this.modeValue.set(mode);
  }
}

const PATIENCE = 60_000;
