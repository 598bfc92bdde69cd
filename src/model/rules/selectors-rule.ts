import { GATED, refusalsFor, reportExpression } from './cel-findings';
import { claimSpecsOf } from './claim-spec';
import { deviceClass, deviceTypeIn, driverIn, driverOf } from './device-classes';
import { classOwner, namesOfDriver } from './known-drivers';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { checkSelector, compileProblems } from '../cel';
import type { SelectorFinding, SelectorOptions } from '../cel';
import { DRIVER_PROFILES } from '../drivers';
import { nearest } from '../near-miss';
import { show } from '../problem';
import { RESOURCE_GROUP } from '../target';
import type { Target } from '../target';

/** CEL selectors of classes, requests and, in 1.34, taint rules. */
export const SELECTORS_RULE: Rule = {
  codes: ['DRA125', 'DRA140', 'DRA141', 'DRA142', 'DRA143', 'DRA144', 'DRA145', 'DRA146', 'DRA147', 'DRA148'],
  run(context) {
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'DeviceClass')) {
      const selectors = Place.root(object).at('spec', 'selectors').items();
      const driver = driverOf(object);
      checkAll(context, selectors, driver);
      checkDriver(context, Place.root(object), selectors, driver);
    }
    // Kubernetes 1.34 alone has selectors in rules.
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'DeviceTaintRule')) {
      const selector = Place.root(object).at('spec', 'deviceSelector');
      if (context.target.minor === '1.34') checkAll(context, selector.at('selectors').items(), selector.at('driver').text);
    }
    for (const spec of claimSpecsOf(context.manifests)) {
      for (const need of spec.requests.flatMap(({ needs }) => needs)) {
        const className = need.place.at('deviceClassName').text ?? '';
        const object = deviceClass(context.manifests, className);
        const owner = object === undefined ? classOwner(className) : undefined;
        const earlier = object === undefined
          ? owner?.installedClasses.find(({ name }) => name === className)?.selectors
          : expressionsOf(Place.root(object).at('spec', 'selectors').items());
        const driver = object === undefined ? owner?.driverName : driverOf(object);
        // A class that is not in the input may be another one than the driver's own.
        checkAll(context, need.place.at('selectors').items(), driver, object === undefined, earlier);
      }
    }
  },
};

/** A class for devices of any driver makes every later selector guess. */
function checkDriver(context: RuleContext, object: Place, selectors: readonly Place[], driver: string | undefined): void {
  if (driver !== undefined) return checkDriverName(context, selectors, driver);
  if (object.at('spec').fields === undefined) return;
  if (selectors.some((selector) => /device\s*(\.\s*driver|\[\s*["']driver)/.test(selector.at('cel', 'expression').text ?? ''))) return;
  report(context, 'DRA147', object.at('spec', 'selectors'), {
    message: `No selector of the class '${object.object.name}' looks at device.driver: devices of every driver are candidates.`,
    help: 'Begin with device.driver == "<driver name>" &&: what follows is then only asked of its devices.',
  });
}

/** A slip in the vendor's part of a known name; another first word is another driver of the vendor. */
function checkDriverName(context: RuleContext, selectors: readonly Place[], driver: string): void {
  const [kind] = driver.split('.', 1);
  const meant = nearest(driver, DRIVER_PROFILES.map(({ driverName }) => driverName).filter(known => known.startsWith(`${kind}.`)));
  const selector = selectors.find(each => driverIn(each.at('cel', 'expression').text ?? '') === driver);
  if (meant === undefined || selector === undefined) return;
  report(context, 'DRA148', selector.at('cel', 'expression'), {
    message: `No driver '${driver}' is known here, but one with nearly that name: a class for a driver that publishes nothing has no devices.`, help: `Did you mean '${meant}'?`,
  });
}

function expressionsOf(selectors: readonly Place[]): string[] {
  return selectors.flatMap((selector) => selector.at('cel', 'expression').text ?? []);
}

/** Selectors of one list; a device that one of them, or an `earlier` one of the class, turns away does not reach the next. */
function checkAll(
  context: RuleContext, selectors: readonly Place[], classDriver: string | undefined, isAssumed = false, earlier: readonly string[] = [],
): void {
  selectors.forEach((selector, index) => {
    checkOne(context, selector, classDriver, isAssumed, [...earlier, ...expressionsOf(selectors.slice(0, index))]);
  });
}

function checkOne(context: RuleContext, selector: Place, classDriver: string | undefined, isAssumed: boolean, earlier: readonly string[]): void {
  const expression = selector.at('cel', 'expression');
  if (selector.fields !== undefined && !selector.at('cel').isSet) {
    report(context, 'DRA140', selector, { message: `A selector must have cel, got ${show(selector.value)}.`, help: 'Write cel: {expression: …}.' });
  }
  if (expression.text === undefined) return;
  const driverName = classDriver ?? driverIn(expression.text);
  const options = {
    driverName,
    minor: context.target.minor,
    knownAttributes: namesOfDriver(driverName),
    deviceType: driverName === undefined ? undefined : deviceTypeIn([...earlier, expression.text], driverName),
  };
  for (const found of problemsOf(expression.text, options, context.target)) {
    const severity = isAssumed && JUDGED_BY_DRIVER.has(found.id) ? 'warning' : found.severity;
    reportExpression(context, expression, found, { code: CODES[found.id] ?? 'DRA140', subject: 'selector', severity });
  }
}

/** What the words tell, with the hints that people need, and then what the compiler of Kubernetes says of the rest. */
function problemsOf(expression: string, options: SelectorOptions, target: Target): readonly SelectorFinding[] {
  const findings = checkSelector(expression, options);
  if (findings.some(({ severity }) => severity === 'error')) return findings;
  const refusals = compileProblemsFor(expression, target);
  // The hint about the release says it better than the compiler, which does not know the name.
  if (refusals.length > 0 && findings.some(({ id }) => id === TOO_NEW)) {
    return findings.map((finding) => (finding.id === TOO_NEW ? { ...finding, severity: 'error' as const } : finding));
  }
  return [...findings, ...refusals];
}

const TOO_NEW = 'cel-too-new';

/** A platform repeats few selectors in many objects. */
function compileProblemsFor(expression: string, target: Target): readonly SelectorFinding[] {
  let known = COMPILED.get(target);
  if (known === undefined || known.size > MAX_COMPILED) COMPILED.set(target, known = new Map());
  let problems = known.get(expression);
  if (problems === undefined) {
    known.set(expression, problems = refusalsFor(target, (gates) => compileProblems(expression, { minor: target.minor, envType: 'new', gates })));
  }
  return problems;
}

const COMPILED = new WeakMap<Target, Map<string, readonly SelectorFinding[]>>();
const MAX_COMPILED = 1000;

/** Checks that are wrong where the driver is. */
const JUDGED_BY_DRIVER = new Set(['cel-wrong-driver', 'cel-wrong-map', 'cel-version-comparison']);

/** Codes by the check that found it; the others keep the expression from compiling. */
const CODES: { readonly [id: string]: string } = {
  'cel-capacity-comparison': 'DRA141',
  'cel-quantity': 'DRA141',
  'cel-semver': 'DRA141',
  'cel-unit': 'DRA141',
  'cel-version-comparison': 'DRA141',
  'cel-memory-amount': 'DRA125',
  'cel-missing-attribute': 'DRA142',
  'cel-unknown-attribute': 'DRA143',
  'cel-wrong-map': 'DRA143',
  'cel-hyphen': 'DRA144',
  'cel-impossible-domain': 'DRA144',
  'cel-impossible-id': 'DRA144',
  'cel-missing-domain': 'DRA144',
  'cel-wrong-domain': 'DRA144',
  'cel-wrong-driver': 'DRA144',
  'cel-too-new': 'DRA145',
  [GATED]: 'DRA145',
  'cel-constant': 'DRA146',
};
