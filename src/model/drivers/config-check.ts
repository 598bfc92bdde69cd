import type { ConfigCondition, ConfigField, ConfigItems, ConfigKind, ConfigRule, ConfigShape } from './config-kind';
import { gateProblem, valueProblem } from './driver-settings';
import type { DriverSettings } from './driver-settings';
import type { DriverProfileFacts } from './profile';
import { nearest } from '../near-miss';
import type { Problem } from '../problem';
import { show } from '../problem';
import { Quantity } from '../quantity';

/** A fault of an opaque config and where it is. */
export interface ConfigProblem extends Problem {
  /** Dotted path inside the parameters, with `[n]` for list members; empty for the whole object. */
  readonly path: string;
}

/**
 * Faults of an opaque config object that the driver would only find on the node, after the pod was bound to it.
 *
 * Judged are kinds, fields, types, closed values and exclusions, for profiles whose config is known; others have no findings.
 * Size and form of the parameters as such are the business of `opaqueProblem`. With `settings` the driver's gates and
 * chart values count as well; without them nothing is said about switches.
 */
export function configProblems(profile: DriverProfileFacts, parameters: unknown, settings?: DriverSettings): ConfigProblem[] {
  if (profile.config !== 'known') return [];
  if (!isObject(parameters)) {
    return [{ path: '', rule: 'must be a JSON object', help: `Write the config that ${profile.driverName} documents.` }];
  }
  const kind = kindOf(profile, parameters);
  if ('rule' in kind) return [kind];

  const check = new ShapeCheck(profile, kind, settings);
  if (kind.gate !== undefined) check.add('', gateProblem(profile, kind.gate, settings));
  check.shape(parameters, '', kind, [
    ...(kind.apiVersion === undefined ? [] : ['apiVersion']),
    ...(kind.kind === undefined ? [] : ['kind']),
  ]);
  return check.problems;
}

/** The kind that the object names, or why there is none. */
function kindOf(profile: DriverProfileFacts, parameters: Readonly<Record<string, unknown>>): ConfigKind | ConfigProblem {
  const kinds = profile.configKinds;
  const versions = distinct(kinds.map(kind => kind.apiVersion));
  if (versions.length > 0 && !versions.some(version => version === parameters.apiVersion)) {
    return choiceProblem('apiVersion', parameters.apiVersion, versions);
  }
  const ofVersion = kinds.filter(kind => kind.apiVersion === undefined || kind.apiVersion === parameters.apiVersion);
  const names = distinct(ofVersion.map(kind => kind.kind));
  if (names.length > 0 && !names.some(name => name === parameters.kind)) {
    return choiceProblem('kind', parameters.kind, names);
  }
  const found = ofVersion.find(kind => kind.kind === undefined || kind.kind === parameters.kind);
  return found ?? { path: '', rule: 'must be left out', help: `${profile.driverName} takes no opaque config.` };
}

/** Walks one config object and collects what is wrong, in the order of the facts. */
class ShapeCheck {
  public readonly problems: ConfigProblem[] = [];

  public constructor(
    private readonly profile: DriverProfileFacts,
    private readonly kind: ConfigKind,
    private readonly settings: DriverSettings | undefined,
  ) {}

  public add(path: string, problem: Problem | undefined): void {
    if (problem !== undefined) this.problems.push({ path, ...problem });
  }

  public shape(given: Readonly<Record<string, unknown>>, path: string, shape: ConfigShape, beside: readonly string[] = []): void {
    const names = [...shape.fields.map(field => field.name), ...beside];
    for (const name of Object.keys(given).sort()) {
      if (!names.includes(name)) this.add(join(path, name), this.unknownField(name, names));
    }
    for (const field of shape.fields) {
      const value = this.present(own(given, field.name), field);
      if (value !== undefined) this.value(value, join(path, field.name), field);
      else if (field.required === true) this.add(join(path, field.name), { rule: 'must be set', help: field.description });
    }
    for (const rule of shape.rules ?? []) this.rule(given, path, rule);
  }

  /** To the Go types of most drivers null is an absent field, and so is an empty text that is not demanded. */
  private present(value: unknown, field: ConfigField): unknown {
    if (this.kind.emptyFields === 'refused') return value;
    return value === '' && field.type === 'string' && field.required !== true ? undefined : value ?? undefined;
  }

  private unknownField(name: string, names: readonly string[]): Problem {
    const meant = nearest(name, names);
    const verdict = this.kind.unknownFields === 'refused' ? 'refuses the claim on the node' : 'drops it without a word';
    return {
      rule: `must be a field that ${this.profile.driverName} knows; it ${verdict}`,
      help: meant !== undefined ? `Did you mean '${meant}'?`
        : names.length === 0 ? 'This object has no fields.' : `It has the fields ${names.join(', ')}.`,
    };
  }

  private value(given: unknown, path: string, field: ConfigItems): void {
    switch (field.type) {
      case 'object':
        if (!isObject(given)) this.add(path, typeProblem('an object', given));
        else if (field.shape !== undefined) this.shape(given, path, field.shape);
        return;
      case 'list':
        if (!Array.isArray(given)) this.add(path, typeProblem('a list', given));
        else given.forEach((item, index) => this.item(item, `${path}[${index}]`, field.items));
        return;
      case 'map':
        if (!isObject(given)) this.add(path, typeProblem('an object', given));
        else for (const key of Object.keys(given).sort()) this.item(own(given, key), join(path, key), field.items);
        return;
      case 'bool':
        if (typeof given !== 'boolean') this.add(path, typeProblem('true or false', given));
        return;
      case 'int':
        if (typeof given !== 'number' || !Number.isInteger(given)) this.add(path, typeProblem('a whole number', given));
        else this.scalar(given, path, field);
        return;
      case 'quantity':
        this.add(path, quantityProblem(given, field.least));
        return;
      case 'string':
        if (typeof given !== 'string') this.add(path, typeProblem('a string', given));
        else this.scalar(given, path, field);
    }
  }

  private item(given: unknown, path: string, items: ConfigItems | undefined): void {
    if (items !== undefined) this.value(given, path, items);
  }

  private scalar(given: string | number, path: string, field: ConfigItems): void {
    if (field.values !== undefined) {
      const value = field.values.find(candidate => candidate.value === given);
      if (value === undefined) this.problems.push(choiceProblem(path, given, field.values.map(candidate => String(candidate.value))));
      else this.add(path, valueProblem(this.profile, value, this.settings));
      return;
    }
    this.add(path, rangeProblem(given, field) ?? patternProblem(given, field));
  }

  private rule(given: Readonly<Record<string, unknown>>, path: string, rule: ConfigRule): void {
    if (rule.when !== undefined && !holds(given, rule.when)) return;
    if (rule.unless !== undefined && holds(given, rule.unless)) return;
    if (rule.requires !== undefined && !holds(given, { path: rule.requires })) {
      this.add(join(path, rule.requires), { rule: `must be ${rule.rule}`, help: rule.help });
    }
    if (rule.refuses !== undefined && holds(given, { path: rule.refuses })) {
      this.add(join(path, rule.refuses), { rule: `must not be ${rule.rule}`, help: rule.help });
    }
  }
}

function holds(given: Readonly<Record<string, unknown>>, condition: ConfigCondition): boolean {
  let value: unknown = given;
  for (const name of condition.path.split('.')) value = isObject(value) ? own(value, name) : undefined;
  if (condition.equals !== undefined) return value === condition.equals;
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function choiceProblem(path: string, given: unknown, choices: readonly string[]): ConfigProblem {
  const meant = typeof given === 'string' ? nearest(given, choices) : undefined;
  const list = choices.map(choice => show(choice)).join(', ');
  return {
    path,
    rule: `must be ${choices.length === 1 ? '' : 'one of '}${list}, ${given === undefined ? 'but is missing' : `got ${show(given)}`}`,
    help: meant === undefined ? 'Write it exactly so; upper and lower case count.' : `Did you mean '${meant}'?`,
  };
}

function typeProblem(wanted: string, given: unknown): Problem {
  return { rule: `must be ${wanted}, got ${show(given)}`, help: 'Correct the type; mind quotes in YAML.' };
}

function rangeProblem(given: string | number, { minimum, maximum }: ConfigItems): Problem | undefined {
  const size = typeof given === 'number' ? given : given.length;
  const noun = typeof given === 'number' ? '' : ' characters long';
  if (minimum !== undefined && size < minimum) {
    return size === 0 && given === '' ? { rule: 'must not be empty', help: 'Write the value, or leave the config out.' }
      : { rule: `must be at least ${minimum}${noun}, got ${show(given)}`, help: 'Choose a larger value.' };
  }
  return maximum === undefined || size <= maximum ? undefined
    : { rule: `must be at most ${maximum}${noun}, got ${show(given)}`, help: `Choose a ${noun === '' ? 'smaller' : 'shorter'} value.` };
}

function patternProblem(given: string | number, { pattern }: ConfigItems): Problem | undefined {
  if (typeof given !== 'string' || pattern === undefined || new RegExp(`^(?:${pattern.matches})$`, 'u').test(given)) return undefined;
  return { rule: `must be ${pattern.words}, got ${show(given)}`, help: 'Write it in that form; the driver refuses anything else on the node.' };
}

function quantityProblem(given: unknown, least: string | undefined): Problem | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return typeProblem('a quantity', given);
  const parsed = Quantity.tryParse(String(given));
  if (!(parsed instanceof Quantity)) return parsed;
  if (least === undefined || parsed.compareTo(Quantity.parse(least)) >= 0) return undefined;
  return { rule: `must be at least ${least}, got ${show(given)}`, help: 'Choose a larger value; the driver counts in whole units of that size.' };
}

function distinct(values: ReadonlyArray<string | undefined>): string[] {
  return [...new Set(values.filter(value => value !== undefined))].sort();
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function own(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.prototype.hasOwnProperty.call(object, name) ? object[name] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
