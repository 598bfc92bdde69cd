import type { KubeObject } from '../../kube/object.js';
import { DEVICE_CLASSES, NODES, PODS, RESOURCE_CLAIMS, RESOURCE_SLICES } from '../../kube/resource.js';
import { need } from '../contract.js';
import type { Need } from '../contract.js';
import { POD_NEEDS, waitForServiceAccount } from '../contracts/pod-support.js';
import { cel, claim, exactly, pod } from '../manifests.js';
import type { Fields } from '../manifests.js';
import type { Trial } from '../trial.js';

export const LAB_NEEDS: readonly Need[] = [
  ...need(NODES, ['create', 'delete']), ...need(NODES, ['patch'], 'status'), ...need(RESOURCE_SLICES, ['create', 'patch', 'delete']), ...need(DEVICE_CLASSES, ['create', 'delete']),
  ...need(RESOURCE_CLAIMS, ['create', 'get', 'list', 'delete']), ...POD_NEEDS,
];

export interface Allocated {
  readonly results: readonly {
    readonly request: string;
    readonly pool: string;
    readonly device: string;
    readonly consumedCapacity?: Readonly<Record<string, string>>;
    readonly shareID?: string;
  }[];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly message?: string;
}

interface SliceOptions {
  readonly suffix?: string;
  readonly pool?: Fields;
  readonly spec?: Fields;
}

/** A node that nobody runs, with devices of a driver that nobody is; the cluster's own scheduler and controllers do the rest. */
export class Laboratory {
  public static async open(trial: Trial, classSpec: Fields = {}): Promise<Laboratory> {
    await waitForServiceAccount(trial);
    const className = trial.name(DEVICE_CLASSES);
    const driver = `${trial.name(NODES).slice(0, 40).replace(/-+$/, '')}.example.com`;
    const node = await makeNode(trial, trial.name(NODES));
    await trial.create(DEVICE_CLASSES, { metadata: { name: className }, spec: { selectors: [cel(`device.driver == "${driver}"`)], ...classSpec } });
    return new Laboratory(trial, node, className, driver);
  }

  private constructor(
    private readonly trial: Trial,
    public readonly node: string,
    /** Name of the class, and part of the driver's name. */
    public readonly className: string,
    public readonly driver: string,
  ) {}

  /** Another node, without devices. */
  public async otherNode(): Promise<string> {
    return makeNode(this.trial, this.trial.name(NODES, 'other'));
  }

  /** A slice of a pool of this node; the rest of the pool is as given. */
  public async publish(devices: readonly Fields[] | undefined, { suffix = 'slice', pool = {}, spec = {} }: SliceOptions = {}): Promise<KubeObject> {
    return this.trial.create(RESOURCE_SLICES, {
      metadata: { name: this.trial.name(RESOURCE_SLICES, suffix) },
      spec: {
        driver: this.driver,
        pool: { name: this.node, generation: 1, resourceSliceCount: 1, ...pool },
        nodeName: this.node,
        ...(devices === undefined ? {} : { devices }),
        ...spec,
      },
    });
  }

  /** A claim with a request `device` for the class. */
  public async claim(suffix: string, request: Fields = {}, devices: Fields = {}): Promise<KubeObject> {
    return this.trial.create(RESOURCE_CLAIMS, {
      metadata: { name: this.trial.name(RESOURCE_CLAIMS, suffix) },
      ...claim({ requests: [exactly('device', { deviceClassName: this.className, ...request })], ...devices }),
    });
  }

  /** A pod that only one node is for, using the claims. */
  public async pod(suffix: string, claims: readonly (KubeObject | string)[], spec: Fields = {}, node = this.node): Promise<KubeObject> {
    const names = claims.map((one) => (typeof one === 'string' ? one : one.metadata?.name ?? ''));
    return this.trial.create(PODS, {
      metadata: { name: this.trial.name(PODS, suffix) },
      ...pod({
        schedulerName: 'default-scheduler',
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }] } } },
        tolerations: [{ operator: 'Exists' }],
        resourceClaims: names.map((resourceClaimName, index) => ({ name: `claim${index}`, resourceClaimName })),
        ...spec,
      }),
    });
  }

  /** A claim and a pod for it. */
  public async pair(suffix: string, request: Fields = {}, devices: Fields = {}): Promise<{ readonly claim: KubeObject; readonly pod: KubeObject }> {
    const made = await this.claim(suffix, request, devices);
    return { claim: made, pod: await this.pod(suffix, [made]) };
  }

  public async bound(object: KubeObject): Promise<KubeObject | undefined> {
    return this.trial.eventually(`that pod ${object.metadata?.name ?? ''} is bound`, async () => {
      const now = await this.trial.client.get(PODS, this.trial.nameOf(object));
      return (now.spec as { readonly nodeName?: string }).nodeName === this.node ? now : undefined;
    });
  }

  /** The scheduler's words about a pod that it cannot place. */
  public async pending(object: KubeObject, ...words: readonly string[]): Promise<void> {
    let last = '';
    await this.trial.eventually(`that pod ${object.metadata?.name ?? ''} is pending with the words ${words.map((word) => `"${word}"`).join(', ')}`, async () => {
      const now = await this.trial.client.get(PODS, this.trial.nameOf(object));
      last = schedulingMessage(now) ?? '';
      return words.every((word) => last.includes(word)) && last !== '' ? true : undefined;
    });
    if (last !== '') this.trial.note(`the scheduler says: ${last}`);
  }

  public async allocated(object: KubeObject): Promise<Allocated | undefined> {
    const { status } = await this.trial.client.get(RESOURCE_CLAIMS, this.trial.nameOf(object));
    return (status as { readonly allocation?: { readonly devices?: Allocated } } | undefined)?.allocation?.devices;
  }

  /** The devices of a claim, in the order of the allocation. */
  public async devices(object: KubeObject): Promise<readonly string[]> {
    return ((await this.allocated(object))?.results ?? []).map(({ device }) => device);
  }
}

async function makeNode(trial: Trial, name: string): Promise<string> {
  await trial.create(NODES, { metadata: { name } });
  const amounts = { 'cpu': '8', 'memory': '16Gi', 'pods': '110', 'ephemeral-storage': '100Gi' };
  const now = new Date().toISOString();
  await trial.client.patch(NODES, { name }, {
    merge: {
      status: {
        capacity: amounts,
        allocatable: amounts,
        conditions: [{ type: 'Ready', status: 'True', reason: 'Conformance', message: 'made by hand', lastHeartbeatTime: now, lastTransitionTime: now }],
      },
    },
  }, { subresource: 'status' });
  return name;
}

/** What the scheduler wrote into the status of a pod that it could not place. */
export function schedulingMessage({ status }: KubeObject): string | undefined {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False')?.message;
}
