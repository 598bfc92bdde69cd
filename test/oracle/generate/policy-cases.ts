import { COSTLY, MATCH_CONDITIONS, MESSAGES, PARAM_VALIDATIONS, VALIDATIONS, VARIABLES } from './policy-expressions';
import { ACCOUNT, policyRequest, REPORT, report, SLICE, slice, WIDGET, widget } from './policy-request';
import type { Minor, OracleCase } from './question';
import { Random } from './random';
import { nodeBoundReportsPolicy } from '../../../src/model/policy/node-bound-reports';
import { nodeBoundSlicesPolicy } from '../../../src/model/policy/node-bound-slices';

type Json = Record<string, unknown>;

/** Upstream takes long to compile a policy, so each is asked about several requests. */
const REQUESTS_PER_POLICY = 10;

const FEATURES: Readonly<Record<string, (random: Random, policy: Random) => Json>> = {
  slices: (random) => ({ policy: policyOf(nodeBoundSlicesPolicy(ACCOUNT, 'gpu.example.com')), ...policyRequest(random, SLICE, slice) }),
  reports: (random) => ({ policy: policyOf(nodeBoundReportsPolicy(ACCOUNT)), ...policyRequest(random, REPORT, report) }),
  validations: (random, policy) => ({ policy: policyOf(withValidations(policy)), ...policyRequest(random, WIDGET, widget) }),
  messages: (random, policy) => ({ policy: policyOf(withMessages(policy)), ...policyRequest(random, WIDGET, widget) }),
  conditions: (random, policy) => ({ policy: policyOf(withConditions(policy)), ...policyRequest(random, WIDGET, widget) }),
  params: (random, policy) => ({
    policy: policyOf({ paramKind: { apiVersion: 'example.com/v1', kind: 'Limit' }, validations: policy.some(PARAM_VALIDATIONS, 3).map((expression) => ({ expression })) }),
    ...policyRequest(random, WIDGET, widget),
    ...(random.once(4) ? {} : { params: { apiVersion: 'example.com/v1', kind: 'Limit', spec: random.pick([{ max: 2, allowed: ['w-1'] }, { max: 5 }, {}]) } }),
  }),
  limits: (random, policy) => ({ policy: policyOf(costly(policy)), ...policyRequest(random, WIDGET, widget) }),
};

/** Requests and the policies that are asked about them. */
export function policyCases(seed: number, count: number, minor: Minor): OracleCase[] {
  const names = Object.keys(FEATURES);
  return Array.from({ length: count }, (_, index) => {
    const feature = names[index % names.length];
    const round = Math.floor(index / names.length / REQUESTS_PER_POLICY);
    const random = new Random(seed * 1_000_003 + index);
    const policy = new Random(seed * 7_919 + round * names.length + (index % names.length));
    return { feature, question: { id: `${feature}-${index}`, kubernetes: minor, ...FEATURES[feature](random, policy) } };
  });
}

function policyOf(spec: object): Json {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: 'policy' }, spec };
}

/** A failure policy is absent now and then. */
function failurePolicy(random: Random): Json {
  return random.once(3) ? {} : { failurePolicy: random.once(2) ? 'Fail' : 'Ignore' };
}

function withValidations(random: Random): Json {
  const chosen = random.some(VALIDATIONS, random.between(1, 5));
  const needed = new Set(chosen.flatMap(([, names]) => names));
  return {
    ...failurePolicy(random),
    variables: variables((name) => needed.has(name)),
    validations: chosen.map(([expression]) => ({
      expression,
      ...(random.once(3) ? { message: random.pick(['No.', ' spaces ', '   ']) } : {}),
      ...(random.once(4) ? { reason: random.pick(['Forbidden', 'Unauthorized', 'RequestEntityTooLarge']) } : {}),
    })),
  };
}

function variables(isWanted: (name: string) => boolean): Json[] {
  return Object.entries(VARIABLES).filter(([name]) => isWanted(name)).map(([name, expression]) => ({ name, expression }));
}

function withMessages(random: Random): Json {
  return {
    ...failurePolicy(random),
    validations: random.list(random.between(1, 3), () => ({
      expression: random.pick(['false', 'object.spec.count > 2', 'bool(object.spec.flag)']),
      messageExpression: random.pick(MESSAGES),
      ...(random.once(2) ? { message: 'Said otherwise.' } : {}),
    })),
  };
}

function withConditions(random: Random): Json {
  return {
    ...failurePolicy(random),
    variables: variables((name) => name === 'count'),
    matchConditions: random.some(MATCH_CONDITIONS, random.between(1, 3)).map((expression, index) => ({ name: `c-${index}`, expression })),
    validations: [{ expression: random.pick(['false', 'true', 'variables.count > 2']) }],
  };
}

/** Expressions that cost more than one may, or all together may. */
function costly(random: Random): Json {
  return {
    ...failurePolicy(random),
    variables: variables((name) => name === 'costly'),
    ...(random.once(3) ? { matchConditions: random.list(random.between(1, 4), (index) => ({ name: `c-${index}`, expression: random.pick(COSTLY) })) } : {}),
    validations: random.list(random.between(1, 14), () => ({
      expression: random.once(5) ? 'variables.costly' : random.pick(COSTLY),
      ...(random.once(4) ? { messageExpression: `string(${random.pick(COSTLY)})` } : {}),
    })),
  };
}
