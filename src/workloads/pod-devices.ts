import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { attachClaims, type ClaimAttachment, refuseOtherNamespace } from './claim-attachment';
import { podTemplatePointer } from './pod-template-pointer';
import type { IClaimSource } from '../dra/claim-source';
import { dnsLabelProblem } from '../model/names';
import { describeProblem } from '../model/problem';

/** Which containers use a claim, and how much of it. */
export interface ClaimUse {
  /**
   * Names of containers, init containers or sidecars that get the devices.
   * @default - all containers of the pod, without its init containers
   */
  readonly containers?: string[];
  /**
   * Name of the one request whose devices they get; of a `firstAvailable` request the request, not the alternative.
   * @default - the devices of all requests of the claim
   */
  readonly request?: string;
}

/**
 * Gives the pods of a workload devices from claims.
 *
 * Works on Pod, Deployment, DaemonSet, StatefulSet, ReplicaSet, ReplicationController, Job, CronJob and PodTemplate from any
 * cdk8s-plus, from `Include` and `Helm`, and on custom kinds with `at()`. The claims are put into the rendered manifest, since
 * the serializers of older cdk8s-plus versions drop fields that they do not know.
 */
export class PodDevices {
  /**
   * The devices of a workload.
   *
   * @param workload a workload construct or its ApiObject
   */
  public static of(workload: IConstruct): PodDevices {
    const object = ApiObject.of(workload);
    return new PodDevices(object, podTemplatePointer(object));
  }

  /**
   * The devices of a pod template inside an object of any kind.
   *
   * @param workload a construct or its ApiObject
   * @param podTemplate JSON pointer to the pod template, the object that holds the pod's `spec`; e.g. `/spec/pytorchReplicaSpecs/Worker/template`
   */
  public static at(workload: IConstruct, podTemplate: string): PodDevices {
    const object = ApiObject.of(workload);
    if (!podTemplate.startsWith('/')) {
      throw new Error(`[${object.node.path}] 'podTemplate' must be a JSON pointer, got "${podTemplate}". Start it with '/', e.g. /spec/template.`);
    }
    return new PodDevices(object, podTemplate);
  }

  private constructor(private readonly object: ApiObject, private readonly pointer: string) {}

  /**
   * Lets containers use a claim. Saying the same again changes nothing; further calls with the same name add containers.
   *
   * Rendering refuses a container that the pod does not have.
   *
   * @param name name of the claim inside the pod, a DNS label
   * @param source claim or template, in the pods' namespace
   */
  public addClaim(name: string, source: IClaimSource, use: ClaimUse = {}): void {
    const problem = dnsLabelProblem(name);
    if (problem) throw new Error(`[${this.object.node.path}] ${describeProblem('name', name, problem)}`);
    refuseOtherNamespace(this.object, name, source);
    this.refuseUnknownRequest(name, source, use.request);
    if (use.containers?.length === 0) {
      throw new Error(`[${this.object.node.path}] Claim '${name}' must be used by a container, got an empty list of containers: `
        + 'its devices would be held and no container would see them. Name the containers, or leave the list out for all of them.');
    }
    const { resourceClaimName, resourceClaimTemplateName } = source.bindClaim();
    const attachment: ClaimAttachment = {
      name,
      reference: resourceClaimName !== undefined ? { resourceClaimName } : { resourceClaimTemplateName },
      containers: use.containers,
      request: use.request,
    };
    attachClaims(this.object, this.pointer, attachment);
  }

  private refuseUnknownRequest(name: string, source: IClaimSource, request?: string): void {
    const known = source.claimRequestNames;
    if (request === undefined || known === undefined || known.includes(request)) return;
    const parent = request.split('/')[0];
    const help = known.includes(parent)
      ? `Containers name the request, not the alternative: write "${parent}".`
      : `It has ${known.map(each => `"${each}"`).join(', ')}.`;
    throw new Error(`[${this.object.node.path}] 'request' must be a request of claim '${name}', got "${request}". ${help}`);
  }
}
