import { type ApiObject, type ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import { ClaimReference, type IClaimSource } from './claim-source';
import { claimSpecJson, classNamesOf } from './claim-spec';
import type { ClaimSpecProps } from './claim-spec-props';
import { draObject } from './dra-object';
import { refuseMistakes } from './refusal';
import type { ResourceClaimTemplateSpec } from '../../imports/types';

/** Properties of a ResourceClaimTemplate. */
export interface ResourceClaimTemplateProps extends ClaimSpecProps {
  /**
   * Metadata of the template.
   * @default - named by the construct id
   */
  readonly metadata?: ApiObjectMetadata;
  /**
   * Labels that each claim gets.
   * @default - none
   */
  readonly claimLabels?: { readonly [key: string]: string };
  /**
   * Annotations that each claim gets.
   * @default - none
   */
  readonly claimAnnotations?: { readonly [key: string]: string };
}

/**
 * Devices for each pod: Kubernetes makes one claim a pod from it and deletes the claim with the pod.
 *
 * Emits a namespaced `resource.k8s.io/v1` ResourceClaimTemplate; its spec cannot be changed once created,
 * so a change needs a new name.
 */
export class ResourceClaimTemplate extends Construct implements IClaimSource {
  /** A template that this app does not make. */
  public static fromResourceClaimTemplateName(name: string): IClaimSource {
    return { bindClaim: () => ClaimReference.template(name) };
  }

  public readonly resourceClaimTemplateName: string;
  public readonly claimNamespace?: string;
  public readonly claimRequestNames?: string[];
  /** @internal */
  public readonly _classNames: readonly string[];
  private readonly object: ApiObject;

  public constructor(scope: Construct, id: string, props: ResourceClaimTemplateProps) {
    super(scope, id);
    const body = { spec: templateSpecJson(props) };
    this.object = draObject(this, {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      clusterScoped: false,
      component: 'resource-claim',
      metadata: props.metadata,
      body,
    });
    this.resourceClaimTemplateName = this.object.name;
    this.claimNamespace = this.object.metadata.namespace;
    this.claimRequestNames = props.requests.map(request => request.name);
    this._classNames = classNamesOf(body.spec.spec ?? {});
    refuseMistakes(this, this.object, body);
  }

  public bindClaim(): ClaimReference {
    return ClaimReference.template(this.resourceClaimTemplateName);
  }
}

function templateSpecJson(props: ResourceClaimTemplateProps): ResourceClaimTemplateSpec {
  const metadata = {
    ...(props.claimLabels ? { labels: props.claimLabels } : {}),
    ...(props.claimAnnotations ? { annotations: props.claimAnnotations } : {}),
  };
  return { ...(Object.keys(metadata).length > 0 ? { metadata } : {}), spec: claimSpecJson(props) };
}
