import { claim, classes } from '../../oracle/generate/claims';
import type { ClaimOptions } from '../../oracle/generate/claims';
import { inventory, NODE } from '../../oracle/generate/device-inventory';
import type { InventoryOptions } from '../../oracle/generate/device-inventory';
import { Random } from '../../oracle/generate/random';
import type { Json } from '../../oracle/generate/selector-device';

/** What the devices and claims of a scenario use, and the gates that must be on for it. */
interface Feature extends InventoryOptions, ClaimOptions {
  readonly gates?: readonly string[];
}

/** By the name of the contract. */
export const FEATURES: Readonly<Record<string, Feature>> = {
  'selectors': { selectors: true, config: true },
  'all-devices': { all: true, selectors: true },
  'alternatives': { firstAvailable: true, selectors: true, gates: ['DRAPrioritizedList'] },
  'match-attribute': { match: true, maxDevices: 8 },
  'distinct-attribute': { distinct: true, match: true, maxDevices: 8, gates: ['DRAConsumableCapacity'] },
  'device-taints': { taints: true, tolerations: true, gates: ['DRADeviceTaints'] },
  'counters': { counters: 'separate', maxDevices: 8, gates: ['DRAPartitionableDevices'] },
  'shared-capacity': { sharing: true, capacity: true, gates: ['DRAConsumableCapacity'] },
  'admin-access': { admin: true, all: true, gates: ['DRAAdminAccess'] },
  'node-selection': { nodeSelection: true, gates: ['DRAPartitionableDevices'] },
  'broken-pools': { brokenPools: true, all: true },
  'binding-conditions': { binding: true, gates: ['DRADeviceBindingConditions'] },
};

/** Objects as somebody would write them; the server may refuse some. */
export interface Scenario {
  readonly nodes: readonly Json[];
  readonly classes: readonly Json[];
  readonly slices: readonly Json[];
}

/** A random cluster, and random pods for it. */
export class ScenarioSource {
  private readonly random: Random;
  private readonly feature: Feature;

  /** @param isOn Whether a gate is on; features that need others are not mixed in. */
  public constructor(name: string, seed: number, private readonly minor: string, isOn: (gate: string) => boolean) {
    this.random = new Random(seed);
    const possible = Object.values(FEATURES).filter(({ gates = [] }) => gates.every(isOn));
    this.feature = name === 'mixed' ? Object.assign({ maxDevices: 6 }, ...this.random.some(possible, 3)) as Feature : FEATURES[name];
  }

  /** Two or three nodes with pools of their own, some of which other nodes can use too. */
  public cluster(): Scenario {
    const { random } = this;
    const counters = this.feature.counters === undefined ? {} : { counters: this.minor === '1.34' ? 'inline' as const : 'separate' as const };
    const names = ['node-a', 'node-b', 'node-c'].slice(0, random.between(2, 3));
    return {
      nodes: names.map(name => this.node(name)),
      classes: classes(random, this.feature),
      slices: names.flatMap(name => inventory(random, { ...this.feature, ...counters }).map(slice => renamed(slice, name))),
    };
  }

  /** Claims for the next pod; those that the server refuses are asked for again. */
  public claim(name: string): Json {
    const object = claim(this.random, 0, this.feature);
    return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { name }, spec: object.spec };
  }

  /** The next pod, with that many claims of its own and perhaps one that another pod uses. */
  public pod(name: string, claims: readonly string[]): Json {
    const { random } = this;
    const labels = random.once(6) ? { nodeSelector: { zone: random.pick(['a', 'b']) } } : {};
    const tolerations = random.once(6) ? { tolerations: [{ key: 'example.com/dedicated', operator: 'Exists' }] } : {};
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: {
        ...labels,
        ...tolerations,
        containers: [{ name: 'main', image: 'registry.example.com/worker:1', resources: { requests: { cpu: '1' }, claims: claims.map(claimName => ({ name: claimName })) } }],
        resourceClaims: claims.map(claimName => ({ name: claimName, resourceClaimName: claimName })),
      },
    };
  }

  /** Whether something happens once in `times`. */
  public once(times: number): boolean {
    return this.random.once(times);
  }

  public pick<T>(from: readonly T[]): T {
    return this.random.pick(from);
  }

  private node(name: string): Json {
    const { random } = this;
    return {
      metadata: { name, labels: { 'kubernetes.io/hostname': name, 'zone': random.pick(['a', 'b']), 'rack': random.pick(['2', '7']) } },
      spec: {
        ...(random.once(8) ? { unschedulable: true } : {}),
        ...(random.once(6) ? { taints: [{ key: 'example.com/dedicated', effect: 'NoSchedule' }] } : {}),
      },
      status: { allocatable: { cpu: random.once(6) ? '2' : '64', memory: '64Gi', pods: '110' } },
    };
  }
}

/** The slices of a generated inventory are all for one node; pools of two nodes have different names. */
function renamed(slice: Json, node: string): Json {
  const text = JSON.stringify(slice).replaceAll(`"${NODE}"`, `"${node}"`).replaceAll('"pool-', `"${node}-pool-`);
  const { metadata, spec } = JSON.parse(text) as { metadata: { name: string }; spec: Json };
  return { apiVersion: 'resource.k8s.io/v1', kind: 'ResourceSlice', metadata: { name: `${node}-${metadata.name.replace(NODE, 'own')}`.toLowerCase() }, spec };
}
