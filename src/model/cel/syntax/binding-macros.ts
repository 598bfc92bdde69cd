import { childrenOf, copyOf, OPERATORS } from './ast';
import type { Expr } from './ast';
import { refuse, UNUSED_VARIABLE } from './macro';
import type { Macro } from './macro';
import type { NodeMaker } from './node';
import { expandMap } from './standard-macros';

/** A variable with a value, seen in `result`: a loop that never runs, whose accumulator is read. */
function bind(make: NodeMaker, name: string, value: Expr, result: Expr): Expr {
  return make.comprehension({
    range: make.list(),
    variable: UNUSED_VARIABLE,
    accumulator: name,
    initial: value,
    condition: make.literal(false),
    step: make.ident(name),
    result,
  });
}

/** `cel.bind(variable, value, result)`. */
export const BIND_MACRO: Macro = {
  name: 'bind',
  args: 3,
  member: true,
  expand: (make, [variable, value, result], target) => {
    if (target.kind !== 'ident' || target.name !== 'cel') return undefined;
    if (variable.kind !== 'ident') return refuse(variable, 'cel.bind() variable names must be simple identifiers');
    return bind(make, variable.name, value, result);
  },
};

function optionalMacro(name: string, wraps: boolean): Macro {
  return {
    name,
    args: 2,
    member: true,
    expand: (make, [variable, transform], target) => {
      if (variable.kind !== 'ident') return refuse(variable, `${name}() variable name must be a simple identifier`);
      if (!hasAtMost(MAX_COPIED, target)) return refuse(target, `${name}() must not be chained on so large an expression`);
      const mapped = bind(make, variable.name, make.memberCall('value', copyOf(target)), transform);
      return make.call(
        OPERATORS.conditional,
        make.memberCall('hasValue', target),
        wraps ? make.call('optional.of', mapped) : mapped,
        make.call('optional.none'),
      );
    },
  };
}

/** The target of an optional macro is used twice, so that a chain of them doubles with each; upstream runs out of memory. */
const MAX_COPIED = 20_000;

function hasAtMost(count: number, expr: Expr): boolean {
  const open = [expr];
  for (let visited = 0; open.length > 0; visited++) {
    if (visited > count) return false;
    open.push(...childrenOf(open.pop() as Expr));
  }
  return true;
}

/** `optMap` and `optFlatMap`. */
export const OPTIONAL_MACROS: readonly Macro[] = [optionalMacro('optMap', true), optionalMacro('optFlatMap', false)];

const SORT_INPUT = '@__sortBy_input__';
const SORTABLE: ReadonlySet<Expr['kind']> = new Set(['list', 'select', 'ident', 'comprehension', 'call']);

/** `list.sortBy(variable, key)`. */
export const SORT_BY_MACRO: Macro = {
  name: 'sortBy',
  args: 2,
  member: true,
  expand: (make, args, target) => {
    if (!SORTABLE.has(target.kind)) {
      return refuse(target, 'sortBy can only be applied to a list, identifier, comprehension, call or select expression');
    }
    const keys = expandMap(make, args, make.ident(SORT_INPUT));
    if ('refused' in keys) return keys;
    return bind(make, SORT_INPUT, target, make.memberCall('@sortByAssociatedKeys', make.ident(SORT_INPUT), [keys]));
  },
};
