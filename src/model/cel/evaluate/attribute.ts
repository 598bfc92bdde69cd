import { CelMap } from './map';
import { losslessInt } from './number';
import { charge, State } from './state';
import type { Run } from './state';
import { goText } from './text';
import { goTypeName, typeName } from './type-name';
import { CelError, CelObject, CelOptional, CelType, CelUint, isList, noSuchOverload } from './value';
import type { Value } from './value';
import type { CelGo } from '../environment';
import { CelMessage } from '../messages/cel-message';

/**
 * A place in the variables: where it starts and the steps from there (cel-go `interpreter/attributes.go`).
 *
 * Selections and indexes on top of an attribute become steps of it, because that decides what they cost.
 */
export class Attribute {
  public readonly steps: Step[] = [];

  public constructor(private readonly root: Root, private readonly celGo: CelGo) {}

  public get isConditional(): boolean {
    return this.root.kind === 'conditional';
  }

  public get isPastLocals(): boolean {
    return this.root.kind === 'value' && this.root.pastLocals === true;
  }

  public addStep(step: Step): void {
    if (this.root.kind === 'conditional') {
      this.root.whenTrue.addStep(step);
      this.root.whenFalse.addStep(step);
    } else {
      this.steps.push(step);
    }
  }

  /** Follows the steps; does not count the access itself. */
  public compile(): Run {
    const run = this.compileSteps();
    if (!this.isPastLocals) return run;
    // cel-go leaves the loops for such a variable, and with them what counts costs.
    return (state) => {
      const outside = new State(state.globals, state.slots.length, Infinity);
      outside.steps = state.steps;
      const value = run(outside);
      state.steps = outside.steps;
      return value;
    };
  }

  private compileSteps(): Run {
    const { root } = this;
    if (root.kind === 'conditional') {
      const { condition } = root;
      const whenTrue = root.whenTrue.compile();
      const whenFalse = root.whenFalse.compile();
      return (state) => {
        const value = condition(state);
        if (value === true) return whenTrue(state);
        return value === false ? whenFalse(state) : noSuchOverload(value);
      };
    }
    const { run } = root;
    const { steps, celGo } = this;
    if (steps.some(({ optional }) => optional)) return (state) => follow(state, run(state), steps, celGo);
    const plain = steps.map((step) => step.take);
    switch (plain.length) {
      case 0: return (state) => {
        const value = run(state);
        return value instanceof CelOptional && celGo === '0.26' ? rewrapped(value) : value;
      };
      case 1: {
        const [first] = plain;
        return (state) => {
          const value = run(state);
          if (value instanceof CelError) return value;
          return value instanceof CelOptional ? follow(state, value, steps, celGo) : first(state, value);
        };
      }
      case 3: {
        const [first, second, third] = plain;
        return (state) => {
          let value = run(state);
          if (value instanceof CelError) return value;
          if (value instanceof CelOptional) return follow(state, value, steps, celGo);
          value = first(state, value);
          if (value instanceof CelError) return value;
          value = second(state, value);
          return value instanceof CelError ? value : third(state, value);
        };
      }
      default:
        return (state) => {
          let value = run(state);
          if (value instanceof CelOptional) return follow(state, value, steps, celGo);
          for (let index = 0; index < plain.length && !(value instanceof CelError); index++) value = plain[index](state, value);
          return value;
        };
    }
  }
}

export type Root =
  /** `pastLocals`: a variable of the environment whose name a loop variable has too, written with a leading dot. */
  | { readonly kind: 'value'; readonly run: Run; readonly pastLocals?: boolean }
  | { readonly kind: 'conditional'; readonly condition: Run; readonly whenTrue: Attribute; readonly whenFalse: Attribute };

/** One selection or index. Each counts one unit of cost, a miss of an optional one none. */
export interface Step {
  readonly optional: boolean;
  /** The value there, or an error. */
  readonly take: (state: State, from: Value) => Value;
  /** The value there; undefined if there is none. */
  readonly takeIfPresent: (state: State, from: Value) => Value | undefined;
}

/** A step with a constant key. */
export function constantStep(key: Value, optional: boolean): Step {
  const missing = new CelError(`no such key: ${goText(key)}`);
  return {
    optional,
    take: (state, from) => {
      const value = from instanceof CelMap ? from.find(key) : lookUp(from, key);
      charge(state, 1);
      return value === undefined ? missing : value;
    },
    takeIfPresent: (state, from) => {
      const value = present(from, key);
      if (value !== undefined && !(value instanceof CelError)) charge(state, 1);
      return value;
    },
  };
}

/** A step of `has()`: asks for presence. */
export function testStep(key: Value): Step {
  return {
    optional: false,
    take: (state, from) => {
      const value = present(from, key);
      charge(state, 1);
      return value instanceof CelError ? value : value !== undefined;
    },
    takeIfPresent: (state, from) => {
      const value = present(from, key);
      if (value !== undefined && !(value instanceof CelError)) charge(state, 1);
      return value;
    },
  };
}

/** A step with a key that is computed. */
export function computedStep(key: Run, optional: boolean): Step {
  return {
    optional,
    take: (state, from) => {
      const at = keyOf(key(state));
      const value = at instanceof CelError ? at : taken(from, at);
      charge(state, 1);
      return value;
    },
    takeIfPresent: (state, from) => {
      const at = keyOf(key(state));
      const value = at instanceof CelError ? at : present(from, at);
      if (value !== undefined && !(value instanceof CelError)) charge(state, 1);
      return value;
    },
  };
}

function keyOf(key: Value): Value {
  switch (typeof key) {
    case 'string': case 'bigint': case 'boolean': case 'number': return key;
    default:
      return key instanceof CelUint || key instanceof CelError ? key : new CelError(`invalid qualifier type: ${goTypeName(key)}`);
  }
}

function taken(from: Value, key: Value): Value {
  const value = from instanceof CelMap ? from.find(key) : lookUp(from, key);
  return value === undefined ? new CelError(`no such key: ${goText(key)}`) : value;
}

/** What indexing finds in anything but a map. */
function lookUp(from: Value, key: Value): Value | undefined {
  return isList(from) ? element(from, key) : from instanceof CelMessage ? from.get(key) : undefined;
}

function element(list: readonly Value[], key: Value): Value {
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0n && index < BigInt(list.length) ? list[Number(index)] : new CelError(`index out of bounds: ${goText(key)}`);
}

function present(from: Value, key: Value): Value | undefined {
  if (from instanceof CelMap || from instanceof CelMessage) return from.find(key);
  if (!isList(from)) return from instanceof CelError ? from : undefined;
  const index = listIndex(key);
  if (index instanceof CelError) return index;
  return index >= 0n && index < BigInt(from.length) ? from[Number(index)] : undefined;
}

function listIndex(key: Value): bigint | CelError {
  if (typeof key === 'bigint') return key;
  const index = typeof key === 'number' ? losslessInt(key) : key instanceof CelUint ? BigInt.asIntN(64, key.value) : undefined;
  if (index !== undefined && index >= (key instanceof CelUint ? 0n : index)) return index;
  return typeof key === 'number' || key instanceof CelUint
    ? new CelError(`unsupported index value ${goText(key)} in list`)
    : new CelError(`unsupported index type '${typeName(key)}' in list`);
}

/** The way through optional values: behind the first one, all steps may miss, and the result is optional. */
function follow(state: State, start: Value, steps: readonly Step[], celGo: CelGo): Value {
  let optional = false;
  let value = start;
  if (start instanceof CelError) return start;
  if (start instanceof CelOptional) {
    if (start.value === undefined) return start;
    value = celGo === '0.26' ? native(start.value) : start.value;
    optional = true;
  }
  for (const step of steps) {
    optional ||= step.optional;
    const next = optional ? step.takeIfPresent(state, value) : step.take(state, value);
    if (next === undefined) return CelOptional.NONE;
    if (next instanceof CelError) return next;
    value = next;
  }
  return optional ? new CelOptional(value) : value;
}

function rewrapped(optional: CelOptional): CelOptional {
  if (optional.value === undefined) return optional;
  const value = native(optional.value);
  return value === optional.value ? optional : new CelOptional(value);
}

/**
 * What is left of a value when cel-go before 0.29 takes it out of an optional that a variable or a branch of `?:` holds: it goes
 * through its Go form, from which Kubernetes' own types do not come back.
 */
function native(value: Value): Value {
  if (value instanceof CelOptional) return value.value === undefined ? null : native(value.value);
  if (value instanceof CelType) return value.type.name;
  if (!(value instanceof CelObject)) return value;
  const goType = LOST_TYPES.get(value.typeName);
  return goType === undefined ? value : new CelError(`unsupported conversion to ref.Val: (${goType})${value.toText()}`);
}

const LOST_TYPES: ReadonlyMap<string, string> = new Map([
  ['kubernetes.Quantity', '*resource.Quantity'], ['kubernetes.Semver', 'semver.Version'], ['kubernetes.URL', '*url.URL'],
  ['net.IP', 'netip.Addr'], ['net.CIDR', 'netip.Prefix'],
]);
