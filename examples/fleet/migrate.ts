import {
  DevicePlatform, DriverProfile, Gate, KubernetesTarget, LegacyPath, MigrationPhase, NodeCount, NodeSelection, PlatformApp,
} from 'cdk8s-dra';
import { className } from './gpu-request';
import summary from './summary.json';

const PHASES = [
  MigrationPhase.LEGACY, MigrationPhase.OBSERVE, MigrationPhase.CANARY,
  MigrationPhase.EXPAND, MigrationPhase.ALL_WORKLOADS, MigrationPhase.PLUGIN_REMOVED,
];

/**
 * The whole fleet on its way to DRA, in pools of nodes of one model.
 *
 * Not part of main.ts, whose output is kept in Git: with 200 pools the plan has more files than the rest of the repository.
 */
export function migrateFleet(pools: number, outdir?: string): PlatformApp {
  const app = new PlatformApp({ kubernetes: KubernetesTarget.of('1.36'), outdir });
  const platform = new DevicePlatform(app, 'platform');
  const driver = DriverProfile.custom({ driverName: 'gpu.fleet.example.com', family: 'gpu' });
  for (const { model, count } of shares(pools)) {
    const name = className([model]);
    const deviceClass = platform.addClass(name, { driver, selectors: [driver.stringAttribute('model').oneOf(model)] });
    for (let index = 0; index < count; index++) {
      platform.addPool(`${name}-${String(index).padStart(3, '0')}`, {
        driver,
        deviceClasses: [deviceClass],
        nodes: NodeSelection.labels({ 'example.com/model': model, 'example.com/rack': String(index) }),
        legacy: LegacyPath.extendedResource(`example.com/${name}`),
        phase: PHASES[index % PHASES.length],
        canary: { nodes: NodeCount.absolute(1), namespaces: ['batch'] },
        expand: { steps: [NodeCount.percent(25), NodeCount.percent(75)], legacyFloor: NodeCount.absolute(1) },
        gates: [Gate.allocationSuccess({ atLeast: 0.99 }), Gate.capacityConverged()],
      });
    }
  }
  return app;
}

/** How many pools each model gets: in proportion to its nodes and at least one, the largest model taking what is left over. */
function shares(pools: number): { model: string; count: number }[] {
  const models = [...summary.models].sort((a, b) => b.nodes - a.nodes);
  const others = models.slice(1).map(({ model, nodes }) => ({ model, count: Math.max(1, Math.floor((pools * nodes) / summary.totals.nodes)) }));
  return [{ model: models[0].model, count: pools - others.reduce((sum, { count }) => sum + count, 0) }, ...others];
}

if (require.main === module) migrateFleet(200).synth();
