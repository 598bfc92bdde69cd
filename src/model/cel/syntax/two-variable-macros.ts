import { OPERATORS } from './ast';
import type { ComprehensionExpr, Expr } from './ast';
import { ACCUMULATOR, loopVariable, refuse } from './macro';
import type { Macro, MacroRefusal } from './macro';
import type { NodeMaker } from './node';
import { appendParts, quantifierParts } from './standard-macros';
import type { Quantifier } from './standard-macros';

/** Name of the function that the map-making macros use. */
export const MAP_INSERT = 'cel.@mapInsert';

type Parts = Pick<ComprehensionExpr, 'initial' | 'condition' | 'step' | 'result'>;

function twoVariables(name: string, args: number, parts: (make: NodeMaker, args: readonly Expr[], variable: string) => Parts): Macro {
  return {
    name,
    args,
    member: true,
    expand: (make, given, target) => {
      const variables = loopVariables(given[0], given[1]);
      if (!Array.isArray(variables)) return variables;
      const [variable, variable2] = variables;
      return make.comprehension({ range: target, variable, variable2, accumulator: ACCUMULATOR, ...parts(make, given, variable) });
    },
  };
}

function loopVariables(first: Expr, second: Expr): [string, string] | MacroRefusal {
  for (const argument of [first, second]) {
    if (argument.kind !== 'ident') return refuse(argument, 'argument must be a simple name');
  }
  const [variable, variable2] = [first, second].map((argument) => (argument.kind === 'ident' ? argument.name : ''));
  if (variable === variable2) return refuse(second, `duplicate variable name: ${variable}`);
  for (const argument of [first, second]) {
    const checked = loopVariable(argument, '');
    if (typeof checked !== 'string') return checked;
  }
  return [variable, variable2];
}

function quantifier(name: string, kind: Quantifier): Macro {
  return twoVariables(name, 3, (make, args) => quantifierParts(make, kind, args[2]));
}

function inserting(make: NodeMaker, inserted: readonly Expr[], filter: Expr | undefined): Parts {
  const insert = make.call(MAP_INSERT, make.ident(ACCUMULATOR), ...inserted);
  return {
    initial: make.map(),
    condition: make.literal(true),
    step: filter === undefined ? insert : make.call(OPERATORS.conditional, filter, insert, make.ident(ACCUMULATOR)),
    result: make.ident(ACCUMULATOR),
  };
}

/** Macros over index and element, or key and value (cel-go `ext/comprehensions.go`). */
export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  quantifier('all', 'all'),
  quantifier('exists', 'exists'),
  quantifier('existsOne', 'exists-one'),
  quantifier('exists_one', 'exists-one'),
  twoVariables('transformList', 3, (make, args) => appendParts(make, args[2], undefined)),
  twoVariables('transformList', 4, (make, args) => appendParts(make, args[3], args[2])),
  twoVariables('transformMap', 3, (make, args, key) => inserting(make, [make.ident(key), args[2]], undefined)),
  twoVariables('transformMap', 4, (make, args, key) => inserting(make, [make.ident(key), args[3]], args[2])),
  twoVariables('transformMapEntry', 3, (make, args) => inserting(make, [args[2]], undefined)),
  twoVariables('transformMapEntry', 4, (make, args) => inserting(make, [args[3]], args[2])),
];
