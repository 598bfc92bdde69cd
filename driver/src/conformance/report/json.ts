import { needText } from '../contract.js';
import { createsObjects } from '../plan.js';
import type { Plan } from '../plan.js';
import type { ConformanceReport } from '../run.js';
import { summaryOf } from './summary.js';

/** The whole report for programs; field names are contract. */
export function jsonReport(report: ConformanceReport): string {
  return `${JSON.stringify({
    ...planFields(report.plan),
    summary: summaryOf(report),
    ...(report.endedEarly === undefined ? {} : { endedEarly: report.endedEarly }),
    removed: report.removed,
    stayed: report.stayed,
    results: report.results.map(({ contract, verdict, because, notes, evidence, seconds }) => ({
      id: contract.id,
      area: contract.area,
      title: contract.title,
      why: contract.why,
      mode: contract.mode,
      effect: contract.effect,
      verdict,
      because,
      notes,
      seconds,
      evidence,
    })),
  }, null, 2)}\n`;
}

/** What would be done. */
export function jsonPlan(plan: Plan): string {
  return `${JSON.stringify({
    ...planFields(plan),
    contracts: plan.contracts.map(({ contract: { id, area, title, mode, effect }, skip }) => ({
      id, area, title, mode, effect, ...(skip === undefined ? {} : { skipped: skip }),
    })),
  }, null, 2)}\n`;
}

function planFields(plan: Plan): object {
  const { version, minor, programMinor, gates } = plan.facts;
  return {
    kubernetes: version,
    minor,
    ...(programMinor === minor ? {} : { programMinor }),
    ...(gates === undefined ? {} : { featureGates: Object.fromEntries([...gates].filter(([name]) => name.startsWith('DRA') || name === 'DynamicResourceAllocation').sort()) }),
    server: plan.server,
    run: plan.run,
    ...(createsObjects(plan) ? { namespace: plan.namespace } : {}),
    permissions: plan.needs.map(({ need, isGranted }) => ({ need: needText(need), granted: isGranted })),
    leftovers: plan.leftovers.map(({ run, since, objects }) => ({ run, since, objects: objects.map(({ resource, object }) => `${resource.kind} ${object.metadata?.name ?? ''}`) })),
  };
}
