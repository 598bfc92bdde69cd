/** Child process: reads, proves and moves a fleet. Argument: the number of pools. */
import { createRequire } from 'node:module';
import { fleet } from './fleet.mjs';
import { peakMemory, reportSamples, stopwatch } from '../../sample.mjs';

const { ManifestSet, PHASES, Target, moveProblems, ownershipPlan, proveOwnership } = createRequire(import.meta.url)('cdk8s-dra/model');

const pools = Number(process.argv[2]);
const target = Target.of('1.34');
const manifests = of => new ManifestSet(of.map(value => ({ value, source: { name: 'fleet' } })));

const shared = manifests(fleet(pools, { daemonsByPool: false }));
const apart = manifests(fleet(pools, { daemonsByPool: true }));
const measured = work => {
  const time = stopwatch();
  const result = work();
  return { ...time(), memory: peakMemory(), result };
};

const reading = measured(() => ownershipPlan(shared, target));
const { result: plan } = reading;
const proof = measured(() => proveOwnership(plan));
const many = ownershipPlan(apart, target);
const proofOfMany = measured(() => proveOwnership(many));
const next = ({ name, spec }) => ({ name, spec: { ...spec, phase: PHASES[PHASES.indexOf(spec.phase) + 1] ?? spec.phase } });
const moves = measured(() => plan.migrations.flatMap(migration => moveProblems(migration, next(migration))));

// A proof that stops at the first problem would be fast: the fleet is one where there is nothing to find.
for (const { result } of [proof, proofOfMany, moves]) if (result.length > 0) throw new Error(`the fleet must be sound, got: ${result[0].message}`);
if (plan.migrations.length !== pools * 3 || plan.workloads.length === 0 || plan.tenants.length === 0) throw new Error('the fleet must be read as a whole');

const sample = ({ wall, cpu, memory }) => ({ wall, cpu, memory });
reportSamples({ reading: sample(reading), proof: sample(proof), many: sample(proofOfMany), moves: sample(moves) });
