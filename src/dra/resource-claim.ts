import { type ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { ClaimReference, type IClaimSource } from './claim-source';
import { claimSpecJson, classNamesOf } from './claim-spec';
import type { ClaimSpecProps } from './claim-spec-props';
import { draObject } from './dra-object';
import { refuseMistakes } from './refusal';

/** Properties of a ResourceClaim. */
export interface ResourceClaimProps extends ClaimSpecProps {
  /**
   * Metadata of the claim.
   * @default - named by the construct id
   */
  readonly metadata?: ApiObjectMetadata;
}

/**
 * Devices that live on their own: several pods may share them, and they outlive each pod.
 *
 * Use a ResourceClaimTemplate where each pod needs devices of its own. Emits a namespaced `resource.k8s.io/v1`
 * ResourceClaim; its spec cannot be changed once created, so a change needs a new name. At most 256 pods can use one claim.
 */
export class ResourceClaim extends Construct implements IClaimSource {
  /** A claim that this app does not make. */
  public static fromResourceClaimName(name: string): IClaimSource {
    return { bindClaim: () => ClaimReference.claim(name) };
  }

  public readonly resourceClaimName: string;
  public readonly claimNamespace?: string;
  public readonly claimRequestNames?: string[];
  /** @internal */
  public readonly _classNames: readonly string[];
  private readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: ResourceClaimProps) {
    super(scope, id);
    const body = { spec: claimSpecJson(props) };
    this.object = draObject(this, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      clusterScoped: false,
      component: 'resource-claim',
      metadata: props.metadata,
      body,
    });
    this.resourceClaimName = this.object.name;
    this.claimNamespace = this.object.metadata.namespace;
    this.claimRequestNames = props.requests.map(request => request.name);
    this._classNames = classNamesOf(body.spec);
    refuseMistakes(this, this.object, body);
  }

  public bindClaim(): ClaimReference {
    return ClaimReference.claim(this.resourceClaimName);
  }
}
