import type { Request, Toleration } from './claim';
import type { Taint } from './slice';

/** The first taint that keeps a request off a device; `everyEffect` as allocators before 1.35, which ignore no effect. */
export function blockingTaint(taints: readonly Taint[], request: Request, everyEffect: boolean): Taint | undefined {
  return taints.find(taint => (everyEffect || taint.effect === 'NoSchedule' || taint.effect === 'NoExecute')
    && !request.tolerations.some(toleration => tolerates(toleration, taint)));
}

function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  if (toleration.key !== '' && toleration.key !== taint.key) return false;
  return toleration.operator === 'Exists' || (toleration.operator === 'Equal' && toleration.value === taint.value);
}
