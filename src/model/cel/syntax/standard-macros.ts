import { OPERATORS } from './ast';
import type { Expr } from './ast';
import { ACCUMULATOR, loopVariable, refuse } from './macro';
import type { Macro, MacroRefusal } from './macro';
import type { NodeMaker } from './node';

/** How a predicate over all elements becomes one bool. */
export type Quantifier = 'all' | 'exists' | 'exists-one';

/** The parts of a comprehension that do not depend on the number of variables. */
export function quantifierParts(make: NodeMaker, kind: Quantifier, predicate: Expr) {
  const accumulated = () => make.ident(ACCUMULATOR);
  switch (kind) {
    case 'all':
      return {
        initial: make.literal(true),
        condition: make.call(OPERATORS.notStrictlyFalse, accumulated()),
        step: make.call(OPERATORS.and, accumulated(), predicate),
        result: accumulated(),
      };
    case 'exists':
      return {
        initial: make.literal(false),
        condition: make.call(OPERATORS.notStrictlyFalse, make.call(OPERATORS.not, accumulated())),
        step: make.call(OPERATORS.or, accumulated(), predicate),
        result: accumulated(),
      };
    case 'exists-one':
      return {
        initial: make.literal(0n),
        condition: make.literal(true),
        step: make.call(OPERATORS.conditional, predicate, make.call(OPERATORS.add, accumulated(), make.literal(1n)), accumulated()),
        result: make.call(OPERATORS.equals, accumulated(), make.literal(1n)),
      };
  }
}

/** The parts of a comprehension that appends `element` where `filter` holds. */
export function appendParts(make: NodeMaker, element: Expr, filter: Expr | undefined) {
  const append = make.call(OPERATORS.add, make.ident(ACCUMULATOR), make.list([element]));
  return {
    initial: make.list(),
    condition: make.literal(true),
    step: filter === undefined ? append : make.call(OPERATORS.conditional, filter, append, make.ident(ACCUMULATOR)),
    result: make.ident(ACCUMULATOR),
  };
}

function quantifier(name: string, kind: Quantifier): Macro {
  return {
    name,
    args: 2,
    member: true,
    expand: (make, [first, predicate], target) => {
      const variable = loopVariable(first, 'argument must be a simple name');
      if (typeof variable !== 'string') return variable;
      return make.comprehension({ range: target, variable, accumulator: ACCUMULATOR, ...quantifierParts(make, kind, predicate) });
    },
  };
}

/** `range.map(variable, transform)` and `range.map(variable, predicate, transform)`. */
export function expandMap(make: NodeMaker, args: readonly Expr[], target: Expr): Expr | MacroRefusal {
  const variable = loopVariable(args[0], 'argument is not an identifier');
  if (typeof variable !== 'string') return variable;
  const [transform, filter] = args.length === 3 ? [args[2], args[1]] : [args[1], undefined];
  return make.comprehension({ range: target, variable, accumulator: ACCUMULATOR, ...appendParts(make, transform, filter) });
}

/** The macros of CEL itself (cel-go `parser/macro.go`). */
export const STANDARD_MACROS: readonly Macro[] = [
  {
    name: 'has',
    args: 1,
    member: false,
    expand: (make, [argument]) => {
      if (argument.kind !== 'select') return refuse(argument, 'invalid argument to has() macro');
      return make.select(argument.operand, argument.field, true);
    },
  },
  quantifier('all', 'all'),
  quantifier('exists', 'exists'),
  quantifier('exists_one', 'exists-one'),
  { name: 'map', args: 2, member: true, expand: expandMap },
  { name: 'map', args: 3, member: true, expand: expandMap },
  {
    name: 'filter',
    args: 2,
    member: true,
    expand: (make, [element, predicate], target) => {
      const variable = loopVariable(element, 'argument is not an identifier');
      if (typeof variable !== 'string') return variable;
      return make.comprehension({ range: target, variable, accumulator: ACCUMULATOR, ...appendParts(make, element, predicate) });
    },
  },
];
