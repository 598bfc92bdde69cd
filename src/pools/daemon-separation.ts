import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { DeviceDriver } from '../dra/device-driver';
import { profileForDriver } from '../model/drivers';
import { type DaemonSide, driverSeparation, ownerRequirement, pluginSeparation, separatedPod } from '../model/separation';

/**
 * Keeps the device plugin and the DRA driver of one family of devices off each other's nodes, by the owner label of the node.
 *
 * The plugin runs where the owner is neither `handover` nor `dra`, the driver where it is `dra`; both tolerate the taint of a node in
 * hand-over. A node without the label is the plugin's, so that applying it changes no node.
 */
export class DaemonSeparation {
  /** The device plugin that is replaced by a driver. */
  public static plugin(driver: DeviceDriver): DaemonSeparation {
    return new DaemonSeparation('plugin', driver);
  }

  /** A DRA driver of another project; for `DriverInstallation` and `NodeAgent` use `pool`. */
  public static driver(driver: DeviceDriver): DaemonSeparation {
    return new DaemonSeparation('driver', driver);
  }

  private constructor(private readonly side: DaemonSide, private readonly target: DeviceDriver) {}

  /**
   * Puts affinity and toleration into a DaemonSet from anywhere, e.g. `Include` or `Helm`; what it has stays.
   *
   * @param daemonSet a DaemonSet construct or its ApiObject
   */
  public applyTo(daemonSet: IConstruct): void {
    const object = ApiObject.of(daemonSet);
    if (object.apiGroup !== 'apps' || object.kind !== 'DaemonSet') {
      throw new Error(`[${object.node.path}] DaemonSeparation.applyTo() must be given a DaemonSet, got ${object.apiVersion} ${object.kind}. `
        + 'For a daemon that an operator makes, pass helmValues() to its chart.');
    }
    const render = object.toJson.bind(object);
    object.toJson = () => {
      const json = structuredClone(render());
      const pod = json.spec?.template?.spec;
      if (typeof pod !== 'object' || pod === null) {
        throw new Error(`[${object.node.path}] DaemonSet "${object.name}" must have a pod template at spec.template.spec, got none.`);
      }
      json.spec.template.spec = separatedPod(pod, this.side, this.target.family);
      return json;
    };
  }

  /**
   * Values that do the same in the daemon's own chart, for cdk8s' `Helm` or a values file.
   *
   * @param install the way of installing it, as the driver's profile names it, e.g. `chart` or `gpu-operator`
   */
  public helmValues(install: string = 'chart'): { [key: string]: any } {
    const profile = profileForDriver(this.target.driverName);
    const known = profile === undefined ? [] : this.side === 'plugin' ? pluginSeparation(profile.legacy, this.target.family) : driverSeparation(profile);
    const found = known.find(each => each.install === install);
    if (found !== undefined) return structuredClone(found.values) as { [key: string]: any };
    const names = known.map(each => `'${each.install}' (${each.chart})`).join(' or ');
    const { key, operator, values = [] } = ownerRequirement(this.side, this.target.family);
    throw new Error(`'install' must be a way to install the ${this.side} of ${this.target.driverName} whose values are known, got "${install}". ${names === '' ? '' : `Use ${names}. `}`
      + `Otherwise give its DaemonSet the required node affinity ${key} ${operator} (${values.join(', ')}), or use applyTo().`);
  }
}
