import { type ApiObject, Lazy } from 'cdk8s';
import { Construct } from 'constructs';
import type { DeviceMigrationProps } from './device-migration-props';
import { migrationSpec } from './migration-spec';
import { DeviceClass } from '../dra/device-class';
import type { DeviceDriver } from '../dra/device-driver';
import { draObject } from '../dra/dra-object';
import { NO_PRUNE } from '../dra/gitops-annotations';
import { refuseMistakes } from '../dra/refusal';
import { API_GROUP, API_VERSION, type DeviceMigrationSpec } from '../model/api';
import { earlyTaintRuleName, earlyTaintRuleSpec } from '../model/migration';
import { KubernetesTarget } from '../target/kubernetes-target';

/**
 * How far a pool of nodes may move from a device plugin to DRA, for one family of devices.
 *
 * Emits a cluster-scoped DeviceMigration with everything that decides about the move written out; GitOps engines are told never to
 * prune it. Going on is one changed line, `phase`, one phase at a time; going back may skip phases.
 */
export class DeviceMigration extends Construct {
  /** Name of the migration and of its pool: the value of the node label `cdk8s-dra.dev/<family>-pool`. */
  public readonly migrationName: string;
  /** @internal */
  public readonly _driver: DeviceDriver;
  /** @internal */
  public readonly _spec: DeviceMigrationSpec;
  private readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: DeviceMigrationProps) {
    super(scope, id);
    this._driver = props.driver;
    const classes = props.deviceClasses.filter((each): each is DeviceClass => each instanceof DeviceClass);
    for (const each of classes) this.refuseBridgeName(each);
    this._spec = migrationSpec(props);
    const body = { spec: this._spec };
    this.object = draObject(this, {
      apiVersion: `${API_GROUP}/${API_VERSION}`,
      kind: 'DeviceMigration',
      clusterScoped: true,
      component: 'migration',
      metadata: { ...props.metadata, annotations: { ...NO_PRUNE, ...props.metadata?.annotations } },
      body,
    });
    this.migrationName = this.object.name;
    refuseMistakes(this, this.object, body);
    for (const each of classes) each._neverPrune();
    if (props.taintsBeforeCanary === true) this.addTaintRule();
  }

  /** Other pools of the driver decide too, so that the effect is known only when all are there. */
  private addTaintRule(): void {
    const { _target: target } = KubernetesTarget.find(this);
    const support = target.kindSupport('DeviceTaintRule');
    if (!support.supported) {
      throw new Error(`[${this.node.path}] 'taintsBeforeCanary' needs DeviceTaintRule, which ${target.toString()} does not have. ${support.help} `
        + 'Or leave it out: the fence of a hold stops allocations on every version.');
    }
    const spec = Lazy.any({
      produce: () => earlyTaintRuleSpec(this._spec.driver, this.node.root.node.findAll()
        .filter((each): each is DeviceMigration => each instanceof DeviceMigration).map(each => ({ name: each.migrationName, spec: each._spec }))),
    });
    draObject(new Construct(this, 'taint-rule'), {
      apiVersion: target.apiVersionOf('DeviceTaintRule'),
      kind: 'DeviceTaintRule',
      clusterScoped: true,
      component: 'migration',
      metadata: { name: earlyTaintRuleName(this.migrationName) },
      body: { spec },
    });
  }

  /** One field has one writer: the name comes and goes with the phase and with holds, at run time. */
  private refuseBridgeName({ deviceClassName, _extendedResourceName: name }: DeviceClass): void {
    if (name === undefined) return;
    throw new Error(`[${this.node.path}] Class "${deviceClassName}" must not set 'extendedResourceName' when a migration lists it, got "${name}": `
      + 'the migration opens and closes that way by phase, and takes it away first when the pool is held. '
      + `Remove it from the class, and name the resource here: legacy: LegacyPath.extendedResource('${name}').`);
  }
}
