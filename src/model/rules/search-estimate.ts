import type { ClaimRequest, ClaimSpec, DeviceNeed } from './claim-spec';
import { LIMITS } from '../limits';

/**
 * How many devices the search of the allocator picks, and gives back, before it knows that a claim does not fit a node.
 *
 * The node has just the devices that the claim wants, but for one of the last request, and matchAttribute ties them together in groups
 * of just the size that the claim wants: more of them make the search longer. Selectors count for nothing, as the search asks them
 * before it picks. `combinations`: whether the devices of one request are tried in one order only.
 * 0 for a claim that is refused for its size, before any search.
 */
export function searchSteps(spec: ClaimSpec, combinations: boolean): number {
  const last = spec.requests.filter(({ needs }) => needs.length > 0).pop();
  if (last === undefined || isTooLarge(spec)) return 0;
  const missing = new Set(last.needs.map(classOf));
  const wanted = wantedOf(spec);
  const taken = new Map<string, number>();
  let choices = 1;
  let steps = 0;
  for (const request of spec.requests) {
    let ways = 0;
    for (const need of request.needs) {
      const className = classOf(need);
      const [all, used] = [wanted.get(className) ?? 0, taken.get(className) ?? 0];
      const free = (missing.has(className) ? all - 1 : all) - used;
      const candidates = Math.max(0, Math.min(free, tiedTo(spec, request, need) ?? free));
      const count = countOf(need);
      for (let picked = 1; picked <= Math.min(count, candidates); picked++) steps += choices * waysToPick(picked, candidates, combinations);
      ways += waysToPick(count, candidates, combinations);
    }
    choices *= ways;
    const [most] = [...request.needs].sort((a, b) => countOf(b) - countOf(a));
    if (most !== undefined) taken.set(classOf(most), (taken.get(classOf(most)) ?? 0) + countOf(most));
  }
  return steps;
}

function isTooLarge({ place, requests }: ClaimSpec): boolean {
  const sizes = [
    [requests.length, LIMITS.requestsPerClaim],
    [place.at('devices', 'constraints').items().length, LIMITS.constraints],
    [Math.max(0, ...requests.map(({ needs }) => needs.length)), LIMITS.alternatives],
    [requests.reduce((sum, { needs }) => sum + Math.max(0, ...needs.map(countOf)), 0), LIMITS.resultsPerClaim],
  ] as const;
  return sizes.some(([size, { max }]) => size > max);
}

/** Of so many devices, in one order or in any. */
function waysToPick(count: number, devices: number, combinations: boolean): number {
  if (count > devices) return 0;
  let ways = 1;
  for (let i = 0; i < count; i++) ways *= (devices - i) / (combinations ? i + 1 : 1);
  return Math.round(ways);
}

/** Devices of each class that the whole claim wants, by the largest alternative. */
function wantedOf(spec: ClaimSpec): Map<string, number> {
  const wanted = new Map<string, number>();
  for (const { needs } of spec.requests) {
    const most = new Map<string, number>();
    for (const need of needs) most.set(classOf(need), Math.max(most.get(classOf(need)) ?? 0, countOf(need)));
    for (const [className, count] of most) wanted.set(className, (wanted.get(className) ?? 0) + count);
  }
  return wanted;
}

/** What is left of the group that a constraint ties a request to, by an earlier request of it; undefined when it is free to start one. */
function tiedTo(spec: ClaimSpec, request: ClaimRequest, need: DeviceNeed): number | undefined {
  const sizes = spec.place.at('devices', 'constraints').items().flatMap((constraint) => {
    if (constraint.at('matchAttribute').text === undefined) return [];
    const names = constraint.at('requests').items().map(({ text }) => text ?? '');
    const tied = spec.requests.filter(({ name }) => names.length === 0 || names.some((reference) => reference.split('/')[0] === name));
    if (!tied.includes(request) || tied[0] === request) return [];
    const alike = tied.filter(({ needs }) => needs.some((other) => classOf(other) === classOf(need)));
    const from = alike.indexOf(request);
    return [alike.slice(from).reduce((sum, { needs }) => sum + Math.max(...needs.map(countOf)), 0)];
  });
  return sizes.length === 0 ? undefined : Math.min(...sizes);
}

function classOf({ place }: DeviceNeed): string {
  return place.at('deviceClassName').text ?? '';
}

/** Mode All picks what there is, in one way. */
function countOf({ place }: DeviceNeed): number {
  if (place.at('allocationMode').text === 'All') return 0;
  const count = place.at('count').value;
  return typeof count === 'number' && Number.isInteger(count) && count > 0 ? count : 1;
}
