import type { KubeObject } from '../../kube/object.js';
import { RESOURCE_CLAIMS } from '../../kube/resource.js';
import type { Contract } from '../contract.js';
import { times } from '../manifests.js';
import type { Fields } from '../manifests.js';
import type { Trial } from '../trial.js';
import { LAB_NEEDS } from './laboratory.js';

type LabContract = Pick<Contract, 'id' | 'area' | 'title' | 'why' | 'run'> & Partial<Contract>;

/** A contract of mode `lab`; its id gets the prefix `lab-`. */
export function lab(contract: LabContract): Contract {
  return { mode: 'lab', effect: 'creates', needs: LAB_NEEDS, limit: 90_000, ...contract, id: `lab-${contract.id}` };
}

/** `device0`, `device1` …, alike. */
export function devices(count: number, fields: Fields = {}): readonly Fields[] {
  return times(count, (index) => ({ name: `device${index}`, ...fields }));
}

export interface ClaimStatus {
  readonly allocation?: { readonly nodeSelector?: unknown };
  readonly reservedFor?: readonly { readonly name: string; readonly resource: string; readonly uid: string }[];
}

/** Empty for a claim that is gone or untouched. */
export async function statusOf(trial: Trial, object: KubeObject): Promise<ClaimStatus> {
  return ((await trial.client.find(RESOURCE_CLAIMS, trial.nameOf(object)))?.status ?? {}) as ClaimStatus;
}
