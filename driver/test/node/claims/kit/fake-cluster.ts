import { ownerLabel } from 'cdk8s-dra/model';

import type { Steps } from './steps.js';
import { ApiError, UnreachableError } from '../../../../src/kube/api-error.js';
import type { ClaimName } from '../../../../src/node/claim-service.js';
import type { ClusterReader } from '../../../../src/node/claims/read-claim.js';

export const DRIVER = 'gpu.cdk8s-dra.dev';
export const NODE = 'node-1';

/** A result of an allocation. */
export interface Result {
  readonly device: string;
  readonly request?: string;
  readonly driver?: string;
  readonly pool?: string;
  readonly adminAccess?: boolean;
  readonly shareID?: string;
  readonly consumedCapacity?: { readonly [name: string]: string };
}

export interface Config {
  readonly source?: string;
  readonly requests?: readonly string[];
  readonly driver?: string;
  readonly parameters: unknown;
}

/** A ResourceClaim with an allocation. */
export function claimObject(name: ClaimName, results: readonly Result[], config: readonly Config[] = [], more: object = {}) {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: { namespace: name.namespace, name: name.name, uid: name.uid },
    status: {
      allocation: {
        devices: {
          results: results.map((result) => ({ request: 'gpu', driver: DRIVER, pool: NODE, ...result })),
          config: config.map(({ source = 'FromClaim', requests = [], driver = DRIVER, parameters }) => ({ source, requests, opaque: { driver, parameters } })),
        },
        nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [NODE] }] }] },
        ...more,
      },
    },
  };
}

/** Claims and the own Node, as an API server has them. */
export class FakeCluster {
  public readonly claims = new Map<string, unknown>();
  public owner: string | undefined = 'dra';
  public isDown = false;
  public status: number | undefined;
  public reads = 0;

  public put(name: ClaimName, results: readonly Result[], config: readonly Config[] = [], more: object = {}): void {
    this.claims.set(`${name.namespace}/${name.name}`, claimObject(name, results, config, more));
  }

  public delete(name: ClaimName): void {
    this.claims.delete(`${name.namespace}/${name.name}`);
  }

  public reader(steps: Steps): ClusterReader {
    const answer = async <T>(what: string, value: () => T): Promise<T> => {
      this.reads += 1;
      return steps.take(`get ${what}`, () => {
        if (this.isDown) throw new UnreachableError('connect ECONNREFUSED');
        if (this.status !== undefined) throw new ApiError(`status ${this.status}`, this.status, 'Unknown');
        return value();
      });
    };
    return {
      claim: async (namespace, name) => answer(`claim ${namespace}/${name}`, () => this.claims.get(`${namespace}/${name}`)),
      node: async () => answer('node', () => ({ metadata: { labels: this.owner === undefined ? {} : { [ownerLabel('gpu')]: this.owner } } })),
    };
  }
}
