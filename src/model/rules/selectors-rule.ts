import { claimSpecsOf } from './claim-spec';
import { deviceClass, driverIn, driverOf } from './device-classes';
import { show } from './given';
import { classOwner, namesOfDriver } from './known-drivers';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { checkSelector } from '../cel/selector-check';
import { RESOURCE_GROUP } from '../target';

/** CEL selectors of classes and requests, as far as their words tell. */
export const SELECTORS_RULE: Rule = {
  codes: ['DRA140', 'DRA141', 'DRA142', 'DRA143', 'DRA144', 'DRA145', 'DRA146', 'DRA147'],
  run(context) {
    for (const object of context.manifests.ofKind(RESOURCE_GROUP, 'DeviceClass')) {
      const selectors = Place.root(object).at('spec', 'selectors').items();
      const driver = driverOf(object);
      for (const selector of selectors) checkOne(context, selector, driver);
      checkDriver(context, Place.root(object), selectors, driver);
    }
    for (const spec of claimSpecsOf(context.manifests)) {
      for (const need of spec.requests.flatMap(({ needs }) => needs)) {
        const className = need.place.at('deviceClassName').text ?? '';
        const object = deviceClass(context.manifests, className);
        const driver = object === undefined ? classOwner(className)?.driverName : driverOf(object);
        for (const selector of need.place.at('selectors').items()) checkOne(context, selector, driver);
      }
    }
  },
};

/** A class for devices of any driver makes every later selector guess. */
function checkDriver(context: RuleContext, object: Place, selectors: readonly Place[], driver: string | undefined): void {
  if (driver !== undefined || object.at('spec').fields === undefined) return;
  if (selectors.some((selector) => /device\s*(\.\s*driver|\[\s*["']driver)/.test(selector.at('cel', 'expression').text ?? ''))) return;
  report(context, 'DRA147', object.at('spec', 'selectors'), {
    message: `No selector of the class '${object.object.name}' looks at device.driver: devices of every driver are candidates.`,
    help: 'Begin with device.driver == "<driver name>" &&: what follows is then only asked of its devices.',
  });
}

function checkOne(context: RuleContext, selector: Place, classDriver: string | undefined): void {
  const expression = selector.at('cel', 'expression');
  if (selector.fields !== undefined && !selector.at('cel').isSet) {
    report(context, 'DRA140', selector, { message: `A selector must have cel, got ${show(selector.value)}.`, help: 'Write cel: {expression: …}.' });
  }
  if (expression.text === undefined) return;
  const driverName = classDriver ?? driverIn(expression.text);
  for (const found of checkSelector(expression.text, { driverName, minor: context.target.minor, knownAttributes: namesOfDriver(driverName) })) {
    report(context, CODES[found.id] ?? 'DRA140', expression, {
      severity: found.severity,
      message: `The selector ${found.rule}: ${show(expression.text.slice(found.start, found.end))}.`,
      help: found.help,
      span: { start: found.start, end: found.end },
    });
  }
}

/** Codes by the check that found it; the others keep the expression from compiling. */
const CODES: { readonly [id: string]: string } = {
  'cel-capacity-comparison': 'DRA141',
  'cel-quantity': 'DRA141',
  'cel-semver': 'DRA141',
  'cel-unit': 'DRA141',
  'cel-version-comparison': 'DRA141',
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
  'cel-constant': 'DRA146',
};
