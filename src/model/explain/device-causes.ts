import { capacityShortage } from './capacity-shortage';
import { classAbsence } from './class-absence';
import { counterShortage } from './counter-shortage';
import type { ClaimDemand } from './device-demand';
import { taintsOf } from './device-help';
import type { DeviceInventory, KnownDevice } from './device-inventory';
import type { NamedObject } from './explanation';
import { holderObject, holderText, named } from './holders';
import { numberOf, wantedOf } from './node-verdict';
import type { DeviceRule, DeviceState, NodeVerdict } from './node-verdict';
import { selectorText } from './selector-rewrite';
import { capitalized, counted, grouped, listed } from './wording';
import type { JsonObject } from '../manifests/manifest-set';
import { objectsAt, textAt } from '../view/json-field';
import { showTaint } from '../view/node-fit';
import type { ViewObject } from '../view/view-object';

/** What is said about nodes that are out by one rule. */
export interface RuleText {
  readonly text: string;
  readonly objects: readonly NamedObject[];
}

/** One sentence or a few about nodes whose devices are out by the same rule, with the numbers. */
export function ruleText(rule: DeviceRule, verdicts: readonly NodeVerdict[], inventory: DeviceInventory): RuleText {
  const nodes = verdicts.map(({ node }) => named(node, 'node'));
  const [text, objects] = TEXTS[rule](verdicts, inventory);
  return { text: capitalized(text), objects: [...nodes.slice(0, MOST_OBJECTS), ...objects.slice(0, MOST_OBJECTS)] };
}

type Text = (verdicts: readonly NodeVerdict[], inventory: DeviceInventory) => [text: string, objects: readonly NamedObject[]];

const TEXTS: { readonly [rule in DeviceRule]: Text } = {
  'in-use': (verdicts, inventory) => {
    const states = statesOf(verdicts, 'in-use');
    const holders = holdersOf(states, inventory);
    const objects = holders.map(holderObject);
    const wanted = wantedBy(verdicts);
    if (wanted === 1) {
      return [`${onNodes(verdicts)} ${allOf(states.length, 'device')} of the class ${held(states.length)} by ${listed(holderTexts(holders, inventory))}`, objects];
    }
    const [best] = [...verdicts].sort((a, b) => freeOn(b) - freeOn(a));
    const bestStates = best.tally?.states.filter(({ rule }) => rule === 'in-use') ?? [];
    return [
      `${nodesHave(verdicts)} fewer than ${wanted} free (best: ${best.node.name} with ${freeOn(best)}; `
      + `${listed([`the other ${bestStates.length} ${held(bestStates.length)} by ${listed(holderTexts(holdersOf(bestStates, inventory), inventory))}`, ...unfit(best)])})`,
      objects,
    ];
  },
  'selector': verdicts => {
    const states = statesOf(verdicts, 'selector');
    const need = verdicts[0].tally?.need;
    const bySelector = grouped(states, ({ detail }) => detail);
    const parts = [...bySelector].map(([index, failing]) => {
      const expression = need?.selectors[Number(index)] ?? '';
      return `${counted(failing.length, 'device')} ${failing.length === 1 ? 'fails' : 'fail'} selector ${index} of ${need?.title ?? ''} (${selectorText(expression, failing.map(({ device }) => device))})`;
    });
    return [`${onNodes(verdicts)} ${listed(parts)}`, []];
  },
  'taint': verdicts => {
    const states = statesOf(verdicts, 'taint');
    const need = verdicts[0].tally?.need;
    const taints = [...new Set(verdicts.flatMap(taintsOf).map(showTaint))].sort();
    const tolerated = need?.tolerations.map(showToleration) ?? [];
    return [
      `${onNodes(verdicts)} ${counted(states.length, 'device')} ${states.length === 1 ? 'carries' : 'carry'} the taint ${listed(taints)}, which ${need?.title ?? ''} does not tolerate`
      + (tolerated.length === 0 ? '' : ` (it tolerates ${listed(tolerated)})`),
      [],
    ];
  },
  'counters': (verdicts, inventory) => {
    const users = new Set<ViewObject>();
    const parts = verdicts.slice(0, MOST_NODES).map(verdict => {
      const free = statesIn(verdict, 'counters');
      const names = listed(free.map(({ device }) => device.name));
      const short = free.length === 0 ? undefined : counterShortage(free[0].device, inventory);
      if (short === undefined) return `Node ${verdict.node.name}: ${names} would overdraw the counters of the pool`;
      for (const user of short.users) users.add(user);
      return `Node ${verdict.node.name}: ${names} ${free.length === 1 ? 'is' : 'are'} unallocated, but ${free.length === 1 ? 'needs' : 'each needs'} ${short.needed.toString()} of counter ${short.counter}; `
        + `of ${short.total.toString()} ${short.used.toString()} ${short.users.length === 0 ? 'are used' : `are used by ${listed(holderTexts(short.users, inventory))}`}, ${short.left.toString()} left`;
    });
    const rest = verdicts.length - parts.length;
    return [`${onNodes(verdicts)} shared counters are exhausted. ${parts.join('. ')}${rest > 0 ? `. ${counted(rest, 'more node')} likewise` : ''}`, [...users].map(holderObject)];
  },
  'capacity': (verdicts, inventory) => {
    const states = statesOf(verdicts, 'capacity');
    const holders = holdersOf(states, inventory);
    const need = verdicts[0].tally?.need;
    const details = [...new Set(states.map(({ device, detail }) => (need && capacityShortage(device, need, inventory)) ?? detail))].sort();
    return [`${onNodes(verdicts)} ${counted(states.length, 'device')} ${states.length === 1 ? 'has' : 'have'} not the capacity asked for: ${listed(details)}`
      + (holders.length === 0 ? '' : `; shares are held by ${listed(holderTexts(holders, inventory))}`), holders.map(holderObject)];
  },
  'constraint': verdicts => {
    const byDetail = grouped(verdicts, ({ conflicts }) => conflicts[0] ?? '');
    if (byDetail.size > 2) {
      const [first] = verdicts;
      const example = first.conflicts.length === 0 ? '' : `: on ${first.node.name}, ${lowered(first.conflicts[0])}`;
      return [`${onNodes(verdicts)} no choice of devices satisfies the constraints${example}`, []];
    }
    const details = [...byDetail].map(([detail, group]) => `${onNodes(group)} ${detail === '' ? 'no choice of devices satisfies the constraints' : lowered(detail)}`);
    return [details.map(capitalized).join('. '), []];
  },
  'pool-incomplete': verdicts => poolText(verdicts, 'pool-incomplete', pool => {
    return `the pool is incomplete: generation ${pool.generation} announces ${counted(pool.announced, 'slice')} and only ${pool.present} ${pool.present === 1 ? 'exists' : 'exist'}`;
  }),
  'pool-invalid': verdicts => poolText(verdicts, 'pool-invalid', (_, detail) => detail.replace(/^is in an invalid pool/, 'the pool is invalid')),
  'gate': verdicts => {
    const details = [...new Set(statesOf(verdicts, 'gate').map(({ detail }) => detail))].sort();
    return [`${onNodes(verdicts)} the devices need a feature that is off: each ${listed(details)}`, []];
  },
  'few': verdicts => {
    const wanted = wantedBy(verdicts);
    const [best] = [...verdicts].sort((a, b) => sizeOf(b) - sizeOf(a));
    return [`${nodesHave(verdicts)} fewer than ${wanted} devices of the class, free or not (most: ${best.node.name} with ${sizeOf(best)})`, []];
  },
  'together': verdicts => {
    const byDetail = grouped(verdicts, ({ conflicts }) => conflicts[0] ?? 'each request finds devices, but not all of them at once');
    const parts = [...byDetail].slice(0, MOST_NODES).map(([detail, group]) => `${onNodes(group)} ${detail}`);
    const rest = byDetail.size - parts.length;
    return [`${parts.map(capitalized).join('. ')}${rest > 0 ? `. ${counted(rest, 'more group')} likewise` : ''}`, []];
  },
  'search': verdicts => [`${onNodes(verdicts)} there are so many combinations of devices that the search did not end; the scheduler stops after its filter timeout (10 s by default)`, []],
  'none': (verdicts, inventory) => {
    const absence = classAbsence(verdicts[0].tally?.need.className ?? '', inventory);
    return [`${nodesHave(verdicts)} no devices of the class${absence === undefined || absence.text === '' ? '' : `; ${absence.text}`}`, []];
  },
};

function poolText(verdicts: readonly NodeVerdict[], rule: DeviceRule, why: (pool: KnownDevice['pool'], detail: string) => string): ReturnType<Text> {
  const pools = new Map<string, NamedObject>();
  const parts = verdicts.slice(0, MOST_NODES).flatMap(verdict => {
    const [first] = statesIn(verdict, rule);
    if (first === undefined) return [];
    const { pool } = first.device;
    pools.set(pool.id, { kind: 'ResourcePool', name: pool.id, role: 'pool' });
    return [`node ${verdict.node.name} shows ${counted(statesIn(verdict, rule).length, 'free device')}, but ${why(pool, first.detail)}, so the scheduler skips it`];
  });
  const rest = verdicts.length - parts.length;
  return [`${parts.map(capitalized).join('. ')}${rest > 0 ? `. ${counted(rest, 'more node')} likewise` : ''}`, [...pools.values()]];
}

function statesIn({ tally }: NodeVerdict, rule: DeviceRule): readonly DeviceState[] {
  return tally?.states.filter(state => state.rule === rule) ?? [];
}

/** One state for each device, though many nodes may see it. */
function statesOf(verdicts: readonly NodeVerdict[], rule: DeviceRule): readonly DeviceState[] {
  const states = new Map<KnownDevice, DeviceState>();
  for (const tally of new Set(verdicts.map(one => one.tally))) {
    for (const state of tally?.states ?? []) if (state.rule === rule) states.set(state.device, state);
  }
  return [...states.values()];
}

function holdersOf(states: readonly DeviceState[], inventory: DeviceInventory): readonly ViewObject[] {
  return [...new Set(states.flatMap(({ device }) => inventory.usesOf(device).map(({ claim }) => claim)))];
}

function holderTexts(holders: readonly ViewObject[], { view }: DeviceInventory): readonly string[] {
  return holders.map(holder => holderText(holder, view));
}

/** Devices that the request could have, if they were enough. */
function freeOn({ tally }: NodeVerdict): number {
  return tally === undefined ? 0 : numberOf(tally, 'free');
}

/** Devices of a node that nobody holds and that the request cannot have all the same. */
function unfit({ tally }: NodeVerdict): readonly string[] {
  if (tally === undefined) return [];
  return Object.entries(UNFIT).flatMap(([rule, text]) => {
    const number = numberOf(tally, rule as DeviceRule);
    return number === 0 ? [] : [`${number} ${number === 1 ? 'is' : 'are'} ${text}`];
  });
}

const UNFIT: { readonly [rule in DeviceRule]?: string } = {
  'taint': 'tainted',
  'counters': 'without counters that are free',
  'capacity': 'without the capacity',
  'constraint': 'outside the constraints',
  'pool-incomplete': 'in an incomplete pool',
  'pool-invalid': 'in an invalid pool',
};

function sizeOf({ tally }: NodeVerdict): number {
  return tally?.states.length ?? 0;
}

function wantedBy(verdicts: readonly NodeVerdict[]): number {
  return Math.max(...verdicts.map(({ tally }) => tally === undefined ? 1 : wantedOf(tally)));
}

function onNodes(verdicts: readonly NodeVerdict[]): string {
  return `on ${nodeList(verdicts)}`;
}

function nodesHave(verdicts: readonly NodeVerdict[]): string {
  return `${nodeList(verdicts)} ${verdicts.length === 1 ? 'has' : 'have'}`;
}

function nodeList(verdicts: readonly NodeVerdict[]): string {
  return `${counted(verdicts.length, 'node')} (${listed(verdicts.map(({ node }) => node.name), 'and', 4)})`;
}

function held(count: number): string {
  return count === 1 ? 'is held' : 'are held';
}

function allOf(count: number, noun: string): string {
  return count === 1 ? `the only ${noun}` : `all ${counted(count, noun)}`;
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
}

function showToleration(toleration: JsonObject): string {
  const key = textAt(toleration, 'key');
  const value = textAt(toleration, 'value');
  const effect = textAt(toleration, 'effect');
  return `${key === '' ? 'every key' : key}${value === '' ? '' : `=${value}`}${effect === '' ? '' : `:${effect}`}`;
}

/** What a claim asks for, with its constraints. */
export function needText(claim: ClaimDemand): string {
  const parts = claim.requests.map(alternatives => {
    const texts = alternatives.map(({ all, count, className }) => (all ? `all devices of class ${className}` : `${counted(count, 'device')} of class ${className}`));
    return listed(texts, 'or');
  });
  const constraints = objectsAt(claim.object, 'spec', 'devices', 'constraints').map(constraint => {
    const match = textAt(constraint, 'matchAttribute');
    return match === '' ? `different values of ${textAt(constraint, 'distinctAttribute')}` : `one value of ${match}`;
  });
  return `${capitalized(claim.label)} needs ${listed(parts)} on one node${constraints.length === 0 ? '' : `, with ${listed(constraints)}`}.`;
}

/** In texts: nodes that are told in full. */
const MOST_NODES = 4;
const MOST_OBJECTS = 20;
