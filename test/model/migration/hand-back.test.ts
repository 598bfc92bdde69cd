import { handBack, type NodeUse } from '../../../src/model/migration';
import type { PlannedMigration } from '../../../src/model/migration/plan';
import { ClusterView } from '../../../src/model/view';

const NONE = { inUse: 0, offered: 0, pods: [], amounts: {} } as unknown as NodeUse['dra'];
const NODE: NodeUse = { name: 'n', owner: 'dra', legacy: NONE, dra: NONE, twoOwners: [] };
const pool = (driver: string): PlannedMigration => ({
  name: 'a100',
  spec: { family: 'gpu', driver, nodes: {}, deviceClassNames: ['gpu'], legacy: { resources: [{ name: 'nvidia.com/gpu' }] }, phase: 'Canary' },
});

/** The step after the owner is the plugin again. */
function stepAfterOwner(driver: string, labels: Record<string, string>): string | undefined {
  const view = ClusterView.of([{ value: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels } }, source: { name: '' } }]);
  const [{ steps }] = handBack(pool(driver), [NODE], view);
  return steps[steps.indexOf('kubectl label node n cdk8s-dra.dev/gpu-owner=device-plugin --overwrite') + 1];
}

const SWITCH = 'nvidia.com/gpu.deploy.device-plugin';
const WAIT = "wait until kubectl get node n -o jsonpath='{.status.allocatable.nvidia\\.com/gpu}' shows its devices";

// The operator starts its plugin by the label, whoever's driver had the node.
test.each<[string, string, Record<string, string>, string]>([
  ['no operator', 'gpu.nvidia.com', {}, WAIT],
  ['an operator that was told to end it', 'gpu.nvidia.com', { [SWITCH]: 'false' }, `kubectl label node n ${SWITCH}=true --overwrite`],
  ['the same under the node agent', 'gpu.cdk8s-dra.dev', { [SWITCH]: 'false' }, `kubectl label node n ${SWITCH}=true --overwrite`],
  ['an operator that runs it', 'gpu.nvidia.com', { [SWITCH]: 'true' }, WAIT],
  ['an operator at work', 'gpu.nvidia.com', { [SWITCH]: 'paused-for-mig-change' }, `wait until the operator has ended its work: the node label ${SWITCH}, now paused-for-mig-change, no longer begins with paused-`],
])('a node goes back with %s', (_, driver, labels, step) => {
  expect(stepAfterOwner(driver, labels)).toBe(step);
});
