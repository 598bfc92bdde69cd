/**
 * Our side of a timing as a program: one question a line on standard input, one measurement a line on standard output, as
 * `build/oracle/<minor>/oracle -time` gives it for upstream. The first argument is the time for one question in milliseconds.
 */
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { ROOT } from '../../../tools/examples/run.mjs';
import { measure } from './measure.mjs';

const require = createRequire(`${ROOT}/package.json`);
const { Allocator, ClaimSet } = require('./lib/src/model/allocator');
const { compileSelector } = require('./lib/src/model/cel');
const { readAttributes, readCapacities } = require('./lib/src/model/device-json');
const { explainPod } = require('./lib/src/model/explain');
const { Target } = require('./lib/src/model/target');
const { ClusterView } = require('./lib/src/model/view');

const budget = Number(process.argv[2]);

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, kind, kubernetes, ...question } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ id, ...measure(operationOf(kind, kubernetes, question), budget) })}\n`);
}

function operationOf(kind, minor, question) {
  switch (kind) {
    case 'eval': return evaluation(minor, question);
    case 'compile': return compilation(minor, question);
    case 'allocate': return allocation(minor, question);
    case 'explain': return explanation(minor, question);
    default: throw new Error(`unknown kind ${kind}`);
  }
}

/** Evaluates a compiled selector on a parsed device; what the device's attributes are in CEL is worked out each time. */
function evaluation(minor, { expression, device }) {
  const selector = compiledSelector(expression, minor);
  const parsed = {
    ...device,
    attributes: readAttributes(device.attributes, 'attributes'),
    capacity: Object.fromEntries(readCapacities(device.capacity, 'capacity').map(one => [one.name, one])),
  };
  return () => {
    const { match, runtimeError } = selector.evaluate(parsed);
    return runtimeError ?? String(match);
  };
}

/** Compiles and estimates the cost, as a check of a manifest does; `{n}` in the expression makes each one another. */
function compilation(minor, { expression }) {
  return number => {
    const selector = compiledSelector(expression.replaceAll('{n}', number), minor);
    return selector.maxCost > 1_000_000n ? 'too complex' : selector.outputType;
  };
}

/**
 * Allocates on one node with slices, classes and claims that are read already. Selectors are compiled once, and convert the device at each
 * evaluation as upstream does; our own evaluator keeps what it converted for the next selector and node.
 */
function allocation(minor, { node, claims, ...devices }) {
  const evaluator = {
    compile: expression => {
      const selector = compiledSelector(expression, minor);
      return {
        matches: device => {
          const { match, runtimeError } = selector.evaluate(device);
          return match ?? { error: runtimeError };
        },
      };
    },
  };
  const allocator = new Allocator(devices, { minor, evaluator });
  const set = new ClaimSet(claims);
  return () => {
    const { results, error } = allocator.allocate(node, set);
    return error ?? (results ?? []).map(({ devices: { results: list = [] } }) => list.at(-1)?.device).join(' ');
  };
}

function explanation(minor, { objects, pod: [namespace, name] }) {
  const target = Target.parse(minor);
  return () => {
    const view = ClusterView.of(objects.map(value => ({ value, source: { name: 'bench' } })));
    return explainPod(view, namespace, name, target).cause;
  };
}

function compiledSelector(expression, minor) {
  const selector = compileSelector(expression, { minor });
  if ('errors' in selector) throw new Error(`${expression}: ${selector.message}`);
  return selector;
}
