import { type ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { DeviceConfig } from './device-config';
import type { DeviceDriver } from './device-driver';
import type { DeviceSelector } from './device-selector';
import { draObject } from './dra-object';
import { NO_PRUNE } from './gitops-annotations';
import { refuseMistakes } from './refusal';
import type { DeviceClassSpec } from '../../imports/types';
import { celString } from '../model/cel/literal';

/** A device class, made here or elsewhere, that requests can name. */
export interface IDeviceClass {
  /** Name of the DeviceClass object. */
  readonly deviceClassName: string;
}

/** Properties of a DeviceClass. */
export interface DeviceClassProps {
  /**
   * Metadata; the name is what claims refer to.
   * @default - named by the construct id
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * The driver whose devices these are: `device.driver == "…"` becomes the first selector, so that devices of other
   * drivers never meet the rest.
   * @default - devices of all drivers are tried
   */
  readonly driver?: DeviceDriver;
  /**
   * Conditions on a device; all must hold, at most 32 with the driver's.
   * @default - every device of the driver
   */
  readonly selectors?: DeviceSelector[];
  /**
   * Parameters for drivers, at most 32; copied into a claim when it is allocated, before the claim's own.
   * @default - none
   */
  readonly config?: DeviceConfig[];
  /**
   * Extended resource name whose pods are served by this class, e.g. `example.com/gpu`; one class a name.
   *
   * Carried by feature gate DRAExtendedResource (on by default from 1.36). A device plugin of that name wins on its nodes.
   * A class that a DeviceMigration lists must not set it: there it is written at run time.
   * @default - none
   */
  readonly extendedResourceName?: string;
}

/**
 * A kind of device that claims can ask for, named once by the platform team.
 *
 * Emits a cluster-scoped `resource.k8s.io/v1` DeviceClass. Editing a class changes later allocations only.
 */
export class DeviceClass extends Construct implements IDeviceClass {
  /** A class that this app does not make, e.g. one that a driver's chart installs. */
  public static fromDeviceClassName(name: string): IDeviceClass {
    return { deviceClassName: name };
  }

  public readonly deviceClassName: string;
  /** @internal */
  public readonly _extendedResourceName?: string;
  private readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: DeviceClassProps = {}) {
    super(scope, id);
    this._extendedResourceName = props.extendedResourceName;
    refuseRequests(this, props.config ?? []);
    const body = { spec: specJson(props) };
    this.object = draObject(this, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      clusterScoped: true,
      component: 'device-class',
      metadata: props.metadata,
      body,
    });
    this.deviceClassName = this.object.name;
    refuseMistakes(this, this.object, body);
  }

  /**
   * Tells GitOps engines to leave the class when it leaves Git: a migration lists it.
   *
   * @internal
   */
  public _neverPrune(): void {
    for (const [annotation, value] of Object.entries(NO_PRUNE)) this.object.metadata.addAnnotation(annotation, value);
  }
}

function specJson(props: DeviceClassProps): DeviceClassSpec {
  const expressions = (props.selectors ?? []).map(selector => selector.expression);
  if (props.driver) expressions.unshift(`device.driver == ${celString(props.driver.driverName)}`);
  const config = props.config ?? [];
  return {
    ...(expressions.length > 0 ? { selectors: expressions.map(expression => ({ cel: { expression } })) } : {}),
    ...(config.length > 0 ? { config: config.map(entry => entry._toClassJson()) } : {}),
    ...(props.extendedResourceName === undefined ? {} : { extendedResourceName: props.extendedResourceName }),
  };
}

/** A class has no requests; dropping the names in silence would apply the parameters to all devices of the class. */
function refuseRequests(construct: Construct, config: DeviceConfig[]): void {
  const named = config.flatMap(entry => entry._requests);
  if (named.length === 0) return;
  throw new Error(`[${construct.node.path}] 'requests' must be left out in the config of a class, got ${named.map(name => `"${name}"`).join(', ')}. `
    + 'A class applies its config to all of its devices; put config for some requests into the claim.');
}
