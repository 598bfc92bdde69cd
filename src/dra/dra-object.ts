import { ApiObject, type ApiObjectMetadata, type ApiObjectProps } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';

/** Label of every object that this library emits. */
export const MANAGED_BY = { 'app.kubernetes.io/managed-by': 'cdk8s-dra' };

/** What `draObject` needs beside the scope. */
export interface DraObjectProps {
  readonly apiVersion: string;
  readonly kind: string;
  readonly clusterScoped: boolean;
  /** Which part of the platform it belongs to, as `app.kubernetes.io/component`. */
  readonly component: string;
  readonly metadata?: ApiObjectMetadata;
  /** Everything but apiVersion, kind and metadata. */
  readonly body: { readonly [field: string]: unknown };
}

/**
 * The API object of a construct, under the child id `Resource`.
 *
 * A base ApiObject on purpose: the generated classes of cdk8s drop fields and patches that they do not know.
 */
export function draObject(scope: Construct, props: DraObjectProps): ApiObject {
  const labels = { ...MANAGED_BY, 'app.kubernetes.io/component': props.component, ...props.metadata?.labels };
  const object: ApiObjectProps = {
    apiVersion: props.apiVersion,
    kind: props.kind,
    ...props.body,
    metadata: { ...props.metadata, name: props.metadata?.name ?? idAsName(scope), labels },
  };
  return props.clusterScoped ? new ClusterScopedObject(scope, 'Resource', object) : new ApiObject(scope, 'Resource', object);
}

function idAsName(construct: IConstruct): string {
  return construct.node.id;
}

/** A chart's namespace is stamped on all its objects, also on those that have none; some GitOps engines refuse that. */
class ClusterScopedObject extends ApiObject {
  public toJson(): any {
    const json = super.toJson();
    delete json.metadata?.namespace;
    return json;
  }
}
