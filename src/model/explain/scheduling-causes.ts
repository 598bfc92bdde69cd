import { needText, ruleText } from './device-causes';
import { DeviceHelp } from './device-help';
import type { DetailedCause, Help, KnownBug, NamedObject } from './explanation';
import { fatalCause } from './fatal-cause';
import { classStock } from './free-devices';
import { named } from './holders';
import { demandOn, judgeNodes } from './judge-nodes';
import type { Judged } from './judge-nodes';
import { hasKnownBug } from './known-bug';
import type { Defect } from './known-bug';
import { bugsOfGroup, bugsOfResults, defectOfFit, panicOf } from './known-bugs';
import { EASIEST_FIRST, verdictOf } from './node-verdict';
import type { DeviceRule, NodeVerdict } from './node-verdict';
import type { Situation } from './situation';
import { capitalized, counted, listed } from './wording';
import { field, wholeAt } from '../view/json-field';
import type { NodeRule } from '../view/node-fit';
import { matchesSelector, nodeOf, unjudgedRules } from '../view/node-fit';
import type { PodClaim } from '../view/pod-claims';
import { consumersOf } from '../view/pod-claims';

export interface SchedulingAnswer {
  /** The main one first; none when the pod fits somewhere. */
  readonly causes: readonly DetailedCause[];
  /** Nodes on which it fits now. */
  readonly fitting: readonly string[];
  /** How many devices the classes have. */
  readonly stock: string;
  /** A mistake of upstream that keeps the pod from being bound though it fits, or kills the scheduler. */
  readonly defect?: Defect;
  /** Mistakes of upstream that let it be bound wrongly. */
  readonly bugs?: readonly KnownBug[];
}

/** Why no node takes the pod: nodes grouped by the first rule that excludes them, those nearest to fitting first. */
export function schedulingCauses(situation: Situation): SchedulingAnswer {
  const { view, pod, unknown } = situation;
  const nodes = view.all('Node');
  const stock = stockText(situation);
  if (nodes.length === 0) {
    if (!view.isKnown('Node')) unknown.add('nodes');
    return { causes: view.isKnown('Node') ? [NO_NODES] : [], fitting: [], stock };
  }
  noteGaps(situation);
  if (lacksDevices(situation)) return { causes: [], fitting: [], stock: '' };
  const verdicts = judgeNodes(situation, nodes);
  const open = verdicts.filter(({ verdict, elsewhere }) => verdict.objections.length === 0 && elsewhere === undefined);
  const panic = panicOf(situation, open.map(({ verdict }) => verdict.node));
  if (panic !== undefined && hasKnownBug('all-mode-with-counters', situation.target, situation.patch) === true) return { causes: [], fitting: [], stock, defect: panic };
  const fatal = verdicts.find(({ verdict }) => verdict.objections.length === 0 && verdict.fatal !== undefined);
  if (fatal) return { causes: [fatalCause(asItsOwn(situation, fatal), verdicts.map(({ verdict }) => verdict), situation)], fitting: [], stock };
  const fitting = open.filter(({ verdict }) => verdict.devicesFit);
  if (fitting.length > 0) return fittingAnswer(situation, fitting, stock, panic);

  // Nodes that lack more than one thing, or have no such devices, are told; help starts from those that are nearer.
  const groups = groupsOf(verdicts);
  const causes = groups.map((group, i) => groupCause(situation, group, i === 0 || group.rank <= 2));
  const [main, ...others] = causes;
  if (main === undefined) return { causes: [], fitting: [], stock };
  const intro = [...demandOn(situation, undefined).map(needText), ...(stock === '' ? [] : [`${capitalized(stock)}.`])];
  // What each group says is part of one picture, so the first text has it all.
  const because = [...intro, main.because, ...others.map(one => one.because), ...preemptionText(situation, main)].join(' ');
  const help = uniqueHelp(causes.flatMap(one => one.help));
  if (situation.trials.exhausted) unknown.add('other changes that would help: not all were tried');
  return {
    causes: [{ ...main, because, help, objects: uniqueObjects([...claimObjects(situation), ...causes.flatMap(one => one.objects), named(pod, 'pod')]) }, ...others],
    fitting: [],
    stock,
  };
}

function fittingAnswer(situation: Situation, fitting: readonly Judged[], stock: string, panic: Defect | undefined): SchedulingAnswer {
  const [{ verdict: { node }, claims }] = fitting;
  const defect = defectOfFit(situation, fitting.map(({ verdict }) => verdict.node));
  return {
    causes: [],
    fitting: fitting.map(({ verdict }) => verdict.node.name),
    stock,
    ...(defect === undefined ? {} : { defect }),
    bugs: [...bugsOfResults(situation, node, claims.map(({ object }) => object)), ...(panic === undefined ? [] : [panic.bug])],
  };
}

/** Who expects his priority to help is told that it does not. */
function preemptionText({ view, pod }: Situation, { objects }: DetailedCause): readonly string[] {
  const priority = wholeAt(pod.value, 'spec', 'priority') ?? 0;
  const holders = objects.filter(({ role }) => role === 'holder').flatMap(({ namespace = '', name }) => view.find('ResourceClaim', namespace, name) ?? []);
  const isLower = holders.some(claim => consumersOf(claim).some(({ name }) => {
    const consumer = view.find('Pod', claim.namespace, name);
    return consumer !== undefined && (wholeAt(consumer.value, 'spec', 'priority') ?? 0) < priority;
  }));
  return isLower ? [`The priority of the pod (${priority}) is of no use here: the scheduler ends no pod for its devices.`] : [];
}

/** The verdict about a node by itself, in words that name no other node of its kind. */
function asItsOwn({ trials, inventory }: Situation, { verdict: { node, objections }, claims }: Judged): NodeVerdict {
  return verdictOf(node, objections, claims, trials.answer(node, claims.map(({ object }) => object)), inventory);
}

/** Nodes that are out for the same reason. */
interface Group {
  readonly rank: number;
  readonly device?: DeviceRule;
  readonly objection?: NodeRule;
  readonly elsewhere?: boolean;
  readonly members: readonly Judged[];
}

/** The group that needs least to fit first: one obstacle, then two, then nodes without such devices. */
function groupsOf(verdicts: readonly Judged[]): readonly Group[] {
  const groups = new Map<string, Group & { members: Judged[] }>();
  for (const judged of verdicts) {
    const { verdict, elsewhere } = judged;
    const group = placeOf(verdict, elsewhere !== undefined);
    const key = `${group.rank} ${group.device} ${group.objection} ${group.elsewhere}`;
    const known = groups.get(key);
    if (known) known.members.push(judged);
    else groups.set(key, { ...group, members: [judged] });
  }
  return [...groups.values()].sort((a, b) => a.rank - b.rank || b.members.length - a.members.length || easeOf(a) - easeOf(b));
}

function placeOf({ objections: [objection], rule, devicesFit, fatal }: NodeVerdict, elsewhere: boolean): Omit<Group, 'members'> {
  // A claim that is allocated already decides where to look; the other groups are what holds the pod there.
  if (elsewhere) return { rank: 0, elsewhere: true };
  if (objection === undefined) return { rank: rule === 'none' ? 4 : 1, ...(rule ? { device: rule } : {}) };
  if (devicesFit) return { rank: 1, objection: objection.rule };
  return { rank: rule === 'none' ? 5 : 3, objection: objection.rule, device: rule === 'none' && fatal === undefined ? 'none' : 'together' };
}

function easeOf({ device, objection }: Group): number {
  return objection !== undefined ? -1 : EASIEST_FIRST.indexOf(device ?? 'none');
}

const DEVICE_CODES: { readonly [rule in DeviceRule]: string } = {
  'selector': 'DRA250',
  'constraint': 'DRA251',
  'taint': 'DRA252',
  'counters': 'DRA253',
  'pool-incomplete': 'DRA254',
  'pool-invalid': 'DRA255',
  'in-use': 'DRA256',
  'few': 'DRA257',
  'capacity': 'DRA258',
  'none': 'DRA259',
  'together': 'DRA260',
  'search': 'DRA265',
  'gate': 'DRA219',
};

const NODE_CODES: { readonly [rule in NodeRule]: string } = {
  'resources': 'DRA240', 'affinity': 'DRA241', 'node-name': 'DRA241', 'taint': 'DRA242', 'cordoned': 'DRA243', 'features': 'DRA244',
};

function groupCause(situation: Situation, group: Group, withHelp: boolean): DetailedCause {
  if (group.elsewhere) return elsewhereCause(situation, group);
  if (group.objection !== undefined) return objectionCause(group, NODE_CODES[group.objection]);
  const rule = group.device ?? 'together';
  const verdicts = group.members.map(({ verdict }) => verdict);
  const { text, objects } = ruleText(rule, verdicts, situation.inventory);
  const own = new Set(situation.claims.flatMap(({ claim }) => claim ?? []));
  const help = new DeviceHelp(group.members[0].claims, situation.inventory, situation.trials, situation.view.all('DeviceTaintRule'), own);
  const { claims } = group.members[0];
  return { cause: DEVICE_CODES[rule], because: `${text}.`, objects, help: withHelp ? help.of(rule, verdicts) : [], bugs: bugsOfGroup(rule, verdicts, claims, situation) };
}

/** Nodes that are out before their devices are looked at; equal objections are told once. */
function objectionCause({ members, rank, device }: Group, cause: string): DetailedCause {
  const byDetail = new Map<string, Judged[]>();
  for (const judged of members) {
    const detail = listed(judged.verdict.objections.map(one => one.detail));
    byDetail.set(detail, [...byDetail.get(detail) ?? [], judged]);
  }
  const asksDevices = members[0].claims.length > 0;
  const parts = [...byDetail].sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_DETAILS).map(([detail, judged]) => {
    const names = judged.map(({ verdict }) => verdict.node.name);
    return `${counted(judged.length, 'node')} (${listed(names, 'and', 4)}) ${judged.length === 1 ? 'is' : 'are'} ${detail}`;
  });
  const rest = byDetail.size - parts.length;
  const state = !asksDevices ? '' : rank === 1 ? '; the devices there would do' : device === 'none' ? '; there are no devices of the class there anyway' : '; the devices there would not do either';
  const remedies = new Map<string, string[]>();
  for (const { verdict } of members) {
    if (verdict.objections.some(one => one.remedy === '')) continue;
    const remedy = verdict.objections.map(one => one.remedy).join(', and ');
    remedies.set(remedy, [...remedies.get(remedy) ?? [], verdict.node.name]);
  }
  const help = rank > 1 ? [] : [...remedies].slice(0, MOST_DETAILS).map(([remedy, names]): Help => ({ text: `${remedy} (${listed(names, 'or', 4)})`, kind: 'change-node' }));
  return {
    cause,
    because: `${parts.map(capitalized).join('. ')}${rest > 0 ? `. ${counted(rest, 'more reason')} of this kind` : ''}${state}.`,
    objects: members.slice(0, MOST_OBJECTS).map(({ verdict }) => named(verdict.node, 'node')),
    help,
  };
}

function elsewhereCause({ view }: Situation, { members }: Group): DetailedCause {
  const { claim } = members[0].elsewhere as PodClaim;
  const selector = field(claim?.value, 'status', 'allocation', 'nodeSelector');
  const allowed = view.all('Node').filter(node => matchesSelector(selector, nodeOf(node))).map(({ name }) => name);
  const where = allowed.length === 0 ? 'a node that is not there any more' : `${counted(allowed.length, 'node')} (${listed(allowed, 'and', 4)})`;
  return {
    cause: 'DRA217',
    because: `Claim ${claim?.name ?? ''} is allocated already, with devices that can be used on ${where} only, which leaves ${counted(members.length, 'node')} out.`,
    objects: claim ? [named(claim, 'claim')] : [],
    help: [{ text: `make the pod fit where the claim is, or end everything that uses claim ${claim?.name ?? ''}, so that it is allocated anew`, kind: 'change-pod' }],
  };
}

function stockText(situation: Situation): string {
  const classes = new Set(demandOn(situation, undefined).flatMap(({ requests }) => requests.flat().map(({ className }) => className)));
  return listed([...classes].filter(name => situation.view.find('DeviceClass', '', name) !== undefined).map(name => classStock(situation, name)));
}

function claimObjects({ claims }: Situation): readonly NamedObject[] {
  return claims.flatMap(({ claim, template }) => [...(claim ? [named(claim, 'claim')] : []), ...(template ? [named(template, 'template')] : [])]);
}

/** Whether the devices are missing from the input, rather than from the cluster; what is missing is noted. */
export function lacksDevices({ view, unknown, demand, extended }: Situation): boolean {
  if (demand.length === 0 && !extended.some(({ className }) => className !== undefined)) return false;
  if (!view.isKnown('ResourceSlice')) unknown.add('resource slices');
  // Those of claims that are there are named already.
  if (!view.isKnown('DeviceClass') && ![...unknown].some(one => one.startsWith('device classes: '))) unknown.add('device classes');
  return !view.isKnown('ResourceSlice') || !view.isKnown('DeviceClass');
}

function noteGaps({ view, pod, unknown }: Situation): void {
  if (view.all('Pod').every(one => one === pod) && view.collection === undefined) unknown.add('other pods: CPU, memory and places of nodes are taken for free');
  const rules = unjudgedRules(pod.value);
  if (rules.length > 0) unknown.add(`whether nodes satisfy ${listed(rules)} of the pod: not judged here`);
}

function uniqueHelp(help: readonly Help[]): readonly Help[] {
  return help.filter((one, i) => help.findIndex(({ text }) => text === one.text) === i);
}

function uniqueObjects(objects: readonly NamedObject[]): readonly NamedObject[] {
  const keyOf = ({ kind, namespace = '', name }: NamedObject): string => `${kind}/${namespace}/${name}`;
  return objects.filter((one, i) => objects.findIndex(other => keyOf(other) === keyOf(one)) === i);
}

const NO_NODES: DetailedCause = {
  cause: 'DRA245', because: 'The cluster has no nodes.', objects: [], help: [{ text: 'add a node', kind: 'add-device' }],
};

/** Different objections of one kind, such as amounts of free CPU, that are told. */
const MOST_DETAILS = 3;
const MOST_OBJECTS = 20;
