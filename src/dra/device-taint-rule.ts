import { type ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { DeviceDriver } from './device-driver';
import type { DeviceTaint } from './device-taint';
import { draObject } from './dra-object';
import { refuseMistakes } from './refusal';
import { KubernetesTarget } from '../target/kubernetes-target';

/** Properties of a DeviceTaintRule; at least one of `driver`, `pool` and `device` is needed. */
export interface DeviceTaintRuleProps {
  /**
   * Metadata of the rule.
   * @default - named by the construct id
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * Only devices of this driver.
   * @default - of any driver
   */
  readonly driver?: DeviceDriver;
  /**
   * Only devices of this pool; for node-local devices that is usually the node's name.
   * @default - of any pool
   */
  readonly pool?: string;
  /**
   * Only devices of this name.
   * @default - of any name
   */
  readonly device?: string;
  /** The taint that the devices get. */
  readonly taint: DeviceTaint;
}

/**
 * A taint that people put on devices, beside those of the driver.
 *
 * Emits a cluster-scoped DeviceTaintRule in the version that the target serves: v1 from 1.37, v1beta2 in 1.36, v1alpha3 before.
 * Carried by feature gate DRADeviceTaintRules, which is on by default from 1.37.
 */
export class DeviceTaintRule extends Construct {
  public readonly deviceTaintRuleName: string;
  private readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: DeviceTaintRuleProps) {
    super(scope, id);
    const { key, value, effect } = props.taint;
    const { driver, pool, device } = props;
    if (driver === undefined && pool === undefined && device === undefined) {
      throw new Error(`[${this.node.path}] A taint rule must name a driver, pool or device, got none: it would taint every device of the cluster. `
        + 'Name at least one of the three.');
    }
    const body = { spec: { deviceSelector: { driver: driver?.driverName, pool, device }, taint: { key, value, effect } } };
    this.object = draObject(this, {
      apiVersion: KubernetesTarget.find(this)._target.apiVersionOf('DeviceTaintRule'),
      kind: 'DeviceTaintRule',
      clusterScoped: true,
      component: 'device-taint-rule',
      metadata: props.metadata,
      body,
    });
    this.deviceTaintRuleName = this.object.name;
    refuseMistakes(this, this.object, body);
  }
}
