import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { addAttachments, refuseOtherNamespace } from './claim-attachment';
import { podTemplatePointer, resolvePointer } from './pod-template-pointer';
import type { IClaimSource } from '../dra/claim-source';
import { ResourceClaim } from '../dra/resource-claim';
import { ResourceClaimTemplate } from '../dra/resource-claim-template';
import { INTERRUPTION_LABEL, type Interruption, INTERRUPTIONS } from '../model/api';
import { pathChoice } from '../model/migration';
import { dnsLabelProblem } from '../model/names';
import { describeProblem } from '../model/problem';
import type { DeviceMigration } from '../pools/device-migration';
import { KubernetesTarget } from '../target/kubernetes-target';

/** What a workload does while its pools do not let it use claims and no class can serve the old resource. */
export enum RoutedFallback {
  /** It asks for the extended resource, and gets devices from nodes of the device plugin. */
  EXTENDED_RESOURCE = 'ExtendedResource',
  /** It asks by claim all the same, and is refused, or waits, until the pool has come far enough. */
  WAIT = 'Wait',
}

/** Devices that a workload gets on whichever way its pools offer. */
export interface RoutedDevicesProps {
  /** Migrations of the pools that the devices come from; all that offer the class. */
  readonly pools: DeviceMigration[];
  /** Units of the extended resource that the container asks for; the claim template says by itself how many devices it takes. */
  readonly count: number;
  /** Claims or template for the way through DRA. */
  readonly claim: IClaimSource;
  /** What happens where neither claims are open to the workload nor a class can serve the resource. */
  readonly fallback: RoutedFallback;
  /**
   * The container that gets the devices.
   * @default - the only container of the pod; rendering refuses a pod with several
   */
  readonly container?: string;
  /**
   * Extended resource of the device plugin.
   * @default - the only one that the migrations name
   */
  readonly resource?: string;
  /**
   * Whether claims are used as soon as the pools let this workload in, also where a class can serve the resource; e.g. to take part in a canary.
   * @default false
   */
  readonly claimsWhenOpen?: boolean;
}

/**
 * Gives a workload devices whatever the phase of its pools: by the extended resource of the device plugin, the same served by a class
 * (the bridge, Kubernetes 1.36 and later), or by claims.
 *
 * Where a class can serve the resource, the workload asks for the resource in every phase and never changes. Elsewhere it is rendered
 * for the phases that the pools stand in, its namespace and its label `cdk8s-dra.dev/interruption`; a promotion then changes it too.
 * Requests are written beside limits, since Kueue counts nothing else.
 */
export class RoutedDevices {
  /**
   * The devices of a workload.
   *
   * @param workload a workload construct or its ApiObject
   */
  public static of(workload: IConstruct): RoutedDevices {
    const object = ApiObject.of(workload);
    return new RoutedDevices(object, podTemplatePointer(object));
  }

  /**
   * The devices of a pod template inside an object of any kind.
   *
   * @param workload a construct or its ApiObject
   * @param podTemplate JSON pointer to the pod template, e.g. `/spec/pytorchReplicaSpecs/Worker/template`
   */
  public static at(workload: IConstruct, podTemplate: string): RoutedDevices {
    return new RoutedDevices(ApiObject.of(workload), podTemplate);
  }

  private constructor(private readonly object: ApiObject, private readonly pointer: string) {}

  /**
   * Adds devices on whichever way.
   *
   * @param name name of the claim inside the pod, a DNS label
   */
  public addDevices(name: string, props: RoutedDevicesProps): void {
    const { object, pointer } = this;
    const problem = dnsLabelProblem(name);
    if (problem) throw new Error(`[${object.node.path}] ${describeProblem('name', name, problem)}`);
    if (props.pools.length === 0) throw new Error(`[${object.node.path}] 'pools' must name a migration, got none. Use PodDevices for devices that do not move.`);
    if (!Number.isInteger(props.count) || props.count < 1) {
      throw new Error(`[${object.node.path}] 'count' must be a whole number from 1, got ${props.count}. Write how many units the container asks for.`);
    }
    const resource = this.resourceOf(props);
    // Seen on the way by claim only, these would come up with the promotion that opens it.
    refuseOtherNamespace(object, name, props.claim);
    this.refuseOtherClasses(props);
    const render = object.toJson.bind(object);
    object.toJson = () => {
      const json = structuredClone(render());
      const pods = resolvePointer(json, pointer);
      const containers: any[] = pods?.spec?.containers ?? [];
      const container = this.containerIn(containers, name, props.container);
      const migrations = props.pools.map(({ migrationName, _spec }) => ({ name: migrationName, spec: _spec }));
      const path = pathChoice(migrations, KubernetesTarget.find(object)._target, {
        namespace: object.metadata.namespace,
        interruption: interruptionOf(json, pods),
        resource,
        claimsWhenOpen: props.claimsWhenOpen ?? false,
        fallback: props.fallback,
      });
      if (path === 'resource') {
        askFor(container, resource, props.count);
      } else {
        const { resourceClaimName, resourceClaimTemplateName } = props.claim.bindClaim();
        const reference = resourceClaimName === undefined ? { resourceClaimTemplateName } : { resourceClaimName };
        addAttachments(object, json, pointer, [{ name, reference, containers: [container.name] }]);
      }
      return json;
    };
  }

  private resourceOf({ pools, resource }: RoutedDevicesProps): string {
    const named = [...new Set(pools.flatMap(({ _spec }) => _spec.legacy?.resources.map(each => each.name) ?? []))].sort();
    if (resource === undefined && named.length === 1) return named[0];
    if (resource !== undefined && named.includes(resource)) return resource;
    const list = named.length === 0 ? 'they name none: set `legacy`, or use PodDevices' : `they name ${named.join(', ')}`;
    throw new Error(`[${this.object.node.path}] 'resource' must be one of the migrations' extended resources, got ${resource === undefined ? 'none' : `"${resource}"`}; ${list}.`);
  }

  private refuseOtherClasses({ pools, claim }: RoutedDevicesProps): void {
    const asked = claim instanceof ResourceClaim || claim instanceof ResourceClaimTemplate ? claim._classNames : undefined;
    if (asked === undefined || pools.some(({ _spec }) => _spec.deviceClassNames.some(name => asked.includes(name)))) return;
    const offered = pools.map(({ migrationName, _spec }) => `${migrationName} offers ${_spec.deviceClassNames.join(', ')}`).join('; ');
    throw new Error(`[${this.object.node.path}] 'claim' must ask for a class of the pools, got ${asked.join(', ') || 'none'}: ${offered}. `
      + 'Else it gets other devices once the pools let it use claims. Name the pools of that class, or a claim for one of theirs.');
  }

  private containerIn(containers: any[], name: string, wanted?: string): any {
    const found = wanted === undefined ? containers : containers.filter(container => container.name === wanted);
    if (found.length === 1) return found[0];
    const names = containers.map(container => `"${container.name}"`).join(', ');
    throw new Error(wanted === undefined && containers.length > 1
      ? `[${this.object.node.path}] Devices '${name}' must say which container gets them, got none of ${names}: on the old way each container has devices of its own. Set 'container'.`
      : `[${this.object.node.path}] Devices '${name}' must be used by a container of the pod, got ${wanted === undefined ? 'none' : `"${wanted}"`}. The pod has ${names || 'none'}.`);
  }
}

/** As the door policy reads it. */
function interruptionOf(json: any, pods: any): Interruption {
  const label = json.metadata?.labels?.[INTERRUPTION_LABEL] ?? pods?.metadata?.labels?.[INTERRUPTION_LABEL];
  return INTERRUPTIONS.find(each => each === label) ?? 'costly';
}

function askFor(container: any, resource: string, count: number): void {
  const resources = { ...container.resources };
  for (const field of ['limits', 'requests']) resources[field] = sorted({ ...resources[field], [resource]: String(count) });
  container.resources = sorted(resources);
}

/** As cdk8s would have written it. */
function sorted(object: { [key: string]: unknown }): { [key: string]: unknown } {
  return Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
}
