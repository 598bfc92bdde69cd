import type { Attempt } from './attempt';
import { attributeOf, showAttribute, valueSet } from './attribute';
import type { ClaimConstraint } from './claim';
import type { RequestData } from './request-data';

/** A constraint that cannot be satisfied by the devices that the requests could have. */
export interface Conflict {
  readonly claim: string;
  /** Place among the constraints of the claim. */
  readonly constraint: number;
  readonly attribute: string;
  /** One sentence with the values that clash. */
  readonly detail: string;
}

/** What each request could have: the values of an attribute, with the number of devices. */
interface Choice {
  readonly name: string;
  readonly wanted: number;
  readonly values: ReadonlyMap<string, number>;
  readonly without: number;
}

/** The smallest reasons why constraints fail, looking at one constraint at a time and at plain requests only. */
export function conflictsOf(attempt: Attempt): readonly Conflict[] {
  return attempt.setting.claims.flatMap((claim, index) => claim.constraints.flatMap((constraint, i): Conflict[] => {
    const attribute = constraint.matchAttribute ?? constraint.distinctAttribute;
    if (attribute === undefined) return [];
    const choices = attempt.slots[index]
      .filter(slot => !slot.isList && applies(constraint, slot.alternatives[0]))
      .map(slot => choiceOf(attempt, slot.alternatives[0], attribute));
    const clash = constraint.matchAttribute === undefined ? tooFewValues : noCommon;
    const detail = missing(choices, attribute) ?? clash(choices, attribute);
    return detail === undefined ? [] : [{ claim: claim.reference, constraint: i, attribute, detail }];
  }));
}

function applies({ requests }: ClaimConstraint, data: RequestData): boolean {
  return requests.length === 0 || requests.includes(data.baseName);
}

function choiceOf(attempt: Attempt, data: RequestData, attribute: string): Choice {
  const values = new Map<string, number>();
  let without = 0;
  for (let position = 0; position < attempt.devices.length; position++) {
    if (data.matches[position] !== 2 || (!data.adminAccess && attempt.isDedicated(position))) continue;
    const found = attributeOf(attempt.devices[position], attribute);
    const set = found && valueSet(found);
    if (!found || !set) {
      without += 1;
      continue;
    }
    for (const value of set.values.length === 1 ? [showAttribute(found)] : set.values.map(one => JSON.stringify(one))) {
      values.set(value, (values.get(value) ?? 0) + 1);
    }
  }
  return { name: data.baseName, wanted: data.deviceCount, values, without };
}

function missing(choices: readonly Choice[], attribute: string): string | undefined {
  const none = choices.find(({ values, without }) => values.size === 0 && without > 0);
  return none && `None of the ${none.without} devices for request ${none.name} has the attribute ${attribute}.`;
}

function noCommon(choices: readonly Choice[], attribute: string): string | undefined {
  for (const choice of choices) {
    const most = Math.max(0, ...choice.values.values());
    if (choice.values.size > 0 && most < choice.wanted) {
      return `Request ${choice.name} needs ${choice.wanted} devices with one value of ${attribute}, but there are at most ${most}: ${counted(choice)}${lacking([choice])}.`;
    }
  }
  for (const [i, a] of choices.entries()) {
    for (const b of choices.slice(i + 1)) {
      if (a.values.size === 0 || b.values.size === 0 || [...a.values.keys()].some(value => b.values.has(value))) continue;
      return `Requests ${a.name} and ${b.name} have no value of ${attribute} in common: ${counted(a)} for ${a.name}, ${counted(b)} for ${b.name}.`;
    }
  }
  const full = choices.filter(({ values }) => values.size > 0);
  if (full.length < 2) return undefined;
  const common = [...full[0].values.keys()].filter(value => full.every(({ values, wanted }) => (values.get(value) ?? 0) >= wanted));
  if (common.length > 0) return undefined;
  return `No value of ${attribute} has enough devices for all of ${full.map(({ name }) => name).join(', ')}: `
    + `${full.map(choice => `${counted(choice)} for ${choice.name}`).join(', ')}.`;
}

function tooFewValues(choices: readonly Choice[], attribute: string): string | undefined {
  const wanted = choices.reduce((sum, choice) => sum + choice.wanted, 0);
  const values = new Set(choices.flatMap(choice => [...choice.values.keys()]));
  if (values.size === 0 || values.size >= wanted) return undefined;
  return `${wanted} devices need as many values of ${attribute}, but there are only ${values.size}: ${shortened([...values].sort())}${lacking(choices)}.`;
}

function counted({ values }: Choice): string {
  return shortened([...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, count]) => `${value} (${count})`));
}

/** Devices that could be had but for the attribute. */
function lacking(choices: readonly Choice[]): string {
  const most = Math.max(0, ...choices.map(({ without }) => without));
  return most === 0 ? '' : `; ${most === 1 ? '1 device has' : `${most} devices have`} no such attribute`;
}

/** Devices may have thousands of values. */
function shortened(values: readonly string[]): string {
  const rest = values.length - MOST_VALUES;
  return values.slice(0, MOST_VALUES).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

const MOST_VALUES = 8;
