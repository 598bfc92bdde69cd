import { field, textAt } from './json-field';
import type { JsonObject } from '../manifests/manifest-set';

/** What `kubectl-dra collect` says of the cluster, as annotations of its List. */
export interface Collection {
  /** As the server prints it, e.g. `v1.36.3`; '' when unknown. */
  readonly serverVersion: string;
  /** Gates that differ from the defaults, `Name=true,Name=false`; '' for none, undefined when they could not be read. */
  readonly featureGates?: string;
  /** Kinds that were read whole: without an object there is none in the cluster. */
  readonly kinds: readonly string[];
}

export const COLLECTION_ANNOTATIONS = {
  serverVersion: 'cdk8s-dra.dev/server-version',
  featureGates: 'cdk8s-dra.dev/feature-gates',
  kinds: 'cdk8s-dra.dev/collected-kinds',
} as const;

/** The annotations of a List. */
export function collectionAnnotations({ serverVersion, featureGates, kinds }: Collection): Readonly<Record<string, string>> {
  return {
    [COLLECTION_ANNOTATIONS.kinds]: [...kinds].sort().join(','),
    ...(featureGates === undefined ? {} : { [COLLECTION_ANNOTATIONS.featureGates]: featureGates }),
    [COLLECTION_ANNOTATIONS.serverVersion]: serverVersion,
  };
}

/** Undefined for a List that was not collected. */
export function collectionOf(list: JsonObject): Collection | undefined {
  const annotations = field(list, 'metadata', 'annotations');
  const kinds = textAt(annotations, COLLECTION_ANNOTATIONS.kinds);
  if (kinds === '') return undefined;
  const gates = field(annotations, COLLECTION_ANNOTATIONS.featureGates);
  return {
    serverVersion: textAt(annotations, COLLECTION_ANNOTATIONS.serverVersion),
    ...(typeof gates === 'string' ? { featureGates: gates } : {}),
    kinds: kinds.split(',').filter(kind => kind !== ''),
  };
}
