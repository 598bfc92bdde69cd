import { need } from '../../src/conformance/contract.js';
import type { Contract } from '../../src/conformance/contract.js';
import type { RunHooks } from '../../src/conformance/run.js';
import { DEVICE_CLASSES } from '../../src/kube/resource.js';

/** A contract that is kept unless told otherwise. */
export function contract(fields: Partial<Contract> = {}): Contract {
  return {
    id: 'sample',
    area: 'API',
    title: 'a fact',
    why: 'somebody relies on it',
    mode: 'live',
    effect: 'creates',
    needs: need(DEVICE_CLASSES, ['create']),
    run: async () => undefined,
    ...fields,
  };
}

export const QUIET: RunHooks = { starts: () => undefined, ends: () => undefined, now: () => performance.now() };
