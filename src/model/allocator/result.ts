import type { Attempt, Chosen } from './attempt';
import type { JsonObject } from '../decoding';
import { selectorForNode } from './node';
import type { NodeRequirement } from './node';
import { resultName } from './request-data';

/** An entry of `status.allocation.devices.results` of the v1 API. */
export interface DeviceResult {
  readonly request: string;
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly adminAccess?: boolean;
  readonly tolerations?: readonly JsonObject[];
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
  readonly shareID?: string;
  readonly consumedCapacity?: Readonly<Record<string, string>>;
  readonly skipNodeOperations?: readonly string[];
}

/** An entry of `status.allocation.devices.config` of the v1 API. */
export interface DeviceConfigResult {
  readonly source: 'FromClass' | 'FromClaim';
  readonly requests?: readonly string[];
  readonly opaque?: unknown;
}

/** `status.allocation` of the v1 API. */
export interface AllocationResult {
  readonly devices: { readonly results?: readonly DeviceResult[]; readonly config?: readonly DeviceConfigResult[] };
  readonly nodeSelector?: object;
}

/** The allocation of one claim; a text when its devices cannot be described. */
export function allocationOf(attempt: Attempt, claim: number, nextShareId: () => string): AllocationResult | string {
  const chosen = attempt.chosen[claim];
  const nodeSelector = nodeSelectorOf(attempt, chosen);
  if (typeof nodeSelector === 'string') return `create NodeSelector for claim ${attempt.setting.claims[claim].name}: ${nodeSelector}`;
  const results = chosen.map(one => deviceResult(attempt, one, nextShareId));
  const config = configOf(attempt, claim);
  return {
    devices: { ...(results.length === 0 ? {} : { results }), ...(config.length === 0 ? {} : { config }) },
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  };
}

/** The points the scheduler gives a node: 8 for the first alternative of each list, 7 for the second, and so on. */
export function scoreOf(attempt: Attempt): number {
  let score = 0;
  for (const slots of attempt.slots) for (const slot of slots) if (slot.isList) score += MOST_ALTERNATIVES - slot.selected;
  return score;
}

function deviceResult(attempt: Attempt, { position, data, share }: Chosen, nextShareId: () => string): DeviceResult {
  const { variant, features } = attempt.setting;
  const device = attempt.devices[position];
  const { driver, name } = attempt.poolAt(position);
  const conditions = variant.full && features.deviceBinding && (variant.naivePools || features.deviceStatus);
  const amounts = share === undefined || share.amounts.length === 0
    ? undefined
    : Object.fromEntries(share.amounts.map((amount, i) => [device.capacity[i].name, amount.toString()]));
  const skips = variant.newest ? device.slice.skipNodeOperations : [];
  return {
    request: resultName(data),
    driver,
    pool: name,
    device: device.name,
    ...(data.adminAccess ? { adminAccess: true } : {}),
    ...(variant.oldTaints || data.request.tolerationObjects.length === 0 ? {} : { tolerations: data.request.tolerationObjects }),
    ...(conditions && device.bindingConditions?.length ? { bindingConditions: device.bindingConditions } : {}),
    ...(conditions && device.bindingFailureConditions?.length ? { bindingFailureConditions: device.bindingFailureConditions } : {}),
    ...(share === undefined ? {} : { shareID: nextShareId() }),
    ...(amounts === undefined ? {} : { consumedCapacity: amounts }),
    ...(skips.length === 0 ? {} : { skipNodeOperations: skips }),
  };
}

/** Configuration of the classes first, each once, then that of the claim. */
function configOf(attempt: Attempt, claim: number): DeviceConfigResult[] {
  const { claims, variant } = attempt.setting;
  const slots = attempt.slots[claim].map(slot => slot.alternatives[slot.selected]);
  if (claims[claim].configs.length === 0 && slots.every(data => data.deviceClass.configs.length === 0)) return [];
  const byClass = new Map<string, { readonly requests: string[]; readonly configs: readonly JsonObject[] }>();
  for (const data of slots) {
    const known = byClass.get(data.deviceClass.name);
    if (known) known.requests.push(resultName(data));
    else byClass.set(data.deviceClass.name, { requests: [resultName(data)], configs: data.deviceClass.configs.map(one => one.configuration) });
  }
  const found: { source: 'FromClass' | 'FromClaim'; requests: readonly string[]; configuration: JsonObject }[] = [];
  for (const { requests, configs } of byClass.values()) {
    for (const configuration of configs) found.push({ source: 'FromClass', requests, configuration });
  }
  for (const { requests, configuration } of claims[claim].configs) {
    const times = requests.length === 0 ? 1 : slots.filter(data => requests.includes(data.baseName)
      || (data.subName !== undefined && requests.includes(resultName(data)))).length;
    // Upstream before 1.37 repeats an entry for every request that it names.
    for (let i = 0; i < (variant.mergesConfig ? Math.min(times, 1) : times); i++) found.push({ source: 'FromClaim', requests, configuration });
  }
  return found.map(({ source, requests, configuration }) => {
    const forAll = requests.length === 0
      || (variant.mergesConfig && slots.every(data => requests.includes(data.baseName) || requests.includes(resultName(data))));
    return { source, ...(forAll ? {} : { requests }), ...configuration };
  });
}

/** Where the devices of a claim can be used; undefined for everywhere. */
function nodeSelectorOf(attempt: Attempt, chosen: readonly Chosen[]): object | string | undefined {
  const matchExpressions: NodeRequirement[] = [];
  const matchFields: NodeRequirement[] = [];
  const { variant, node } = attempt.setting;
  for (const { position } of chosen) {
    const device = attempt.devices[position];
    const place = device.slice.perDeviceNodeSelection === true ? device : device.slice;
    if (place.nodeName !== undefined || (variant.full && device.bindsToNode)) {
      return selectorForNode(variant.full ? node.name : place.nodeName ?? '');
    }
    const terms = place.nodeSelector?.terms ?? [];
    if (terms.length > 1) return `unsupported ResourceSlice.NodeSelector with ${terms.length} terms`;
    if (terms.length === 0) continue;
    addNew(matchFields, terms[0].matchFields);
    addNew(matchExpressions, terms[0].matchExpressions);
  }
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [{
      ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
      ...(matchFields.length === 0 ? {} : { matchFields }),
    }],
  };
}

function addNew(list: NodeRequirement[], requirements: readonly NodeRequirement[]): void {
  for (const one of requirements) {
    const { values = [] } = one;
    const known = list.some(other => other.key === one.key && other.operator === one.operator && sameSet(other.values ?? [], values));
    if (!known) list.push({ key: one.key, operator: one.operator, ...(values.length === 0 ? {} : { values }) });
  }
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.every(value => b.includes(value)) && b.every(value => a.includes(value));
}

const MOST_ALTERNATIVES = 8;
