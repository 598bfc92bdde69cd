import { Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import { DeviceMigration } from './device-migration';
import type { DeviceQueue, KueueQuotaProps } from './kueue-quota-props';
import { draObject } from '../dra/dra-object';
import {
  clusterQueues, KUEUE_API, kueueConfiguration, type KueueJson, kueueProblems, type PlannedMigration, type QueuePlan, queuePlanMistakes,
  resourceFlavors,
} from '../model/migration';
import { KubernetesTarget } from '../target/kubernetes-target';

/**
 * Quota of Kueue (0.17) for pools that move to DRA: a ResourceFlavor for each way of each pool, and ClusterQueues whose shares are split
 * between the ways as far as the phase of the pool lets nodes be DRA's.
 *
 * The sum of a queue's devices stays the same in every phase. Where a class serves the old resource all of them stand on the way of DRA,
 * since Kueue then counts the old name as the class. Quota that moves lets waiting work in and ends nothing that runs. What every other phase
 * would be is in the plan folder beside the manifests, and so is `configuration()`, without which Kueue counts no claim.
 */
export class KueueQuota extends Construct {
  /** @internal */
  public readonly _plan: QueuePlan;
  private readonly pools: readonly PlannedMigration[];

  public constructor(scope: Construct, id: string, props: KueueQuotaProps) {
    super(scope, id);
    this.pools = props.pools.map(({ pool: { migrationName: name, _spec: spec } }) => ({ name, spec }));
    this._plan = {
      pools: props.pools.map(({ pool, ...numbers }) => ({ pool: pool.migrationName, ...numbers })),
      queues: props.queues.map(queue => ({ name: queue.name, devices: this.devicesOf(queue), spec: specOf(queue) })),
    };
    this.refuse();
    for (const flavor of this.pools.flatMap(resourceFlavors)) this.add(flavor);
    for (const { name } of this._plan.queues) this.add(this.queueNow(name));
  }

  /**
   * Fields for Kueue's own configuration, its ConfigMap `kueue-manager-config` or the value `managerConfig.controllerManagerConfigYaml` of its chart:
   * the feature gates that count devices, and which classes count under which name. The same in every phase; Kueue reads it when it starts.
   */
  public configuration(): { [field: string]: any } {
    return structuredClone(kueueConfiguration(this.pools, KubernetesTarget.find(this)._target)) as { [field: string]: any };
  }

  private devicesOf({ name, shares }: DeviceQueue): { readonly [pool: string]: number } {
    const pools = shares.map(({ pool }) => pool.migrationName);
    const twice = pools.find((pool, index) => pools.indexOf(pool) !== index);
    if (twice !== undefined) this.fail([`Queue ${name} has two shares of pool ${twice}. Add them up.`]);
    return Object.fromEntries(shares.map(({ pool, devices }) => [pool.migrationName, devices]));
  }

  private refuse(): void {
    if (this.pools.length === 0) this.fail(["'pools' must name a migration, got none. Name the pools whose devices are counted."]);
    const problems = kueueProblems(this.pools).map(({ rule, help }) => `What Kueue counts ${rule}. ${help}`);
    const mistakes = [...problems, ...queuePlanMistakes(this._plan, this.pools)];
    if (mistakes.length > 0) this.fail(mistakes);
  }

  private fail(mistakes: readonly string[]): never {
    throw new Error(`[${this.node.path}] ${mistakes.join('\n  ')}`);
  }

  private add({ apiVersion, kind, metadata, spec }: KueueJson): void {
    const { name } = metadata as { readonly name: string };
    draObject(new Construct(this, `${(kind as string).toLowerCase()}-${name}`), {
      apiVersion: apiVersion as string, kind: kind as string, clusterScoped: true, component: 'queues', metadata: { name }, body: { spec },
    });
  }

  /** Other pools of the tree decide too whether a class serves an old name, so that it is known only when all are there. */
  private queueNow(name: string): KueueJson {
    const spec = Lazy.any({
      produce: () => {
        const target = KubernetesTarget.find(this)._target;
        const all = this.node.root.node.findAll().filter((each): each is DeviceMigration => each instanceof DeviceMigration)
          .map(({ migrationName, _spec }) => ({ name: migrationName, spec: _spec }));
        return clusterQueues(this._plan, all, target).find(({ metadata }) => (metadata as { readonly name: string }).name === name)?.spec;
      },
    });
    return { apiVersion: KUEUE_API, kind: 'ClusterQueue', metadata: { name }, spec };
  }
}

/** Everything but the groups of devices. */
function specOf({ resources = [], namespaceLabels, cohort, spec = {} }: DeviceQueue): KueueJson {
  const others = resources.map(({ flavor, quota }) => {
    const entries = Object.entries(quota).sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      coveredResources: entries.map(([name]) => name),
      flavors: [{ name: flavor, resources: entries.map(([name, nominalQuota]) => ({ name, nominalQuota })) }],
    };
  });
  return {
    ...spec,
    ...(cohort === undefined ? {} : { cohortName: cohort }),
    namespaceSelector: namespaceLabels === undefined ? {} : { matchLabels: { ...namespaceLabels } },
    resourceGroups: others,
  };
}
