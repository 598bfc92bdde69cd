import type { ClusterView } from './cluster-view';
import { field, objectAt, objectsAt, textAt } from './json-field';
import type { ViewObject } from './view-object';
import type { CompiledExpression, SelectorEvaluator } from '../allocator';
import type { JsonObject } from '../manifests/manifest-set';
import type { Target } from '../target/target';

/** The slices as the scheduler sees them: with the taints that DeviceTaintRules add, where the cluster acts on them. */
export function taintedSlices(view: ClusterView, target: Target, evaluator?: SelectorEvaluator): readonly JsonObject[] {
  const slices = view.all('ResourceSlice').map(slice => slice.value);
  // In 1.34 one gate switched both.
  const on = target.isOn('DRADeviceTaints', 'kube-scheduler') && (!target.atLeast('1.35') || target.isOn('DRADeviceTaintRules', 'kube-scheduler'));
  const rules = on ? view.all('DeviceTaintRule').flatMap(rule => coverageOf(rule, view, target, evaluator) ?? []) : [];
  if (rules.length === 0) return slices;
  return slices.map(slice => {
    const spec = objectAt(slice, 'spec');
    const ofSlice = rules.filter(rule => coversSlice(rule, spec));
    if (ofSlice.length === 0) return slice;
    const devices = objectsAt(spec, 'devices').map(device => {
      const added = ofSlice.filter(rule => coversDevice(rule, textAt(spec, 'driver'), device)).map(({ taint }) => taint);
      return added.length === 0 ? device : { ...device, taints: [...objectsAt(device, 'taints'), ...added] };
    });
    return { ...slice, spec: { ...spec, devices } };
  });
}

/** What a rule is about; '' stands for any. */
interface Coverage {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly expressions: readonly CompiledExpression[];
  readonly taint: JsonObject;
}

/**
 * Undefined for a rule about nothing.
 *
 * From 1.35 on a rule without a selector covers nothing; the tracker of 1.34 takes it for one that covers everything, and knows classes and CEL beside.
 */
function coverageOf({ value }: ViewObject, view: ClusterView, target: Target, evaluator: SelectorEvaluator | undefined): Coverage | undefined {
  const isOldest = !target.atLeast('1.35');
  if (field(value, 'spec', 'deviceSelector') === undefined && !isOldest) return undefined;
  const selector = objectAt(value, 'spec', 'deviceSelector');
  const className = isOldest ? textAt(selector, 'deviceClassName') : '';
  const deviceClass = className === '' ? undefined : view.find('DeviceClass', '', className);
  if (className !== '' && deviceClass === undefined) return undefined;
  const selectors = isOldest ? [...objectsAt(deviceClass?.value, 'spec', 'selectors'), ...objectsAt(selector, 'selectors')] : [];
  return {
    driver: textAt(selector, 'driver'),
    pool: textAt(selector, 'pool'),
    device: textAt(selector, 'device'),
    expressions: evaluator === undefined ? [] : selectors.map(one => evaluator.compile(textAt(one, 'cel', 'expression'))),
    taint: objectAt(value, 'spec', 'taint'),
  };
}

function coversSlice({ driver, pool }: Coverage, spec: JsonObject): boolean {
  return (driver === '' || driver === textAt(spec, 'driver')) && (pool === '' || pool === textAt(spec, 'pool', 'name'));
}

/** What cannot be compiled or evaluated covers nothing. */
function coversDevice({ device, expressions }: Coverage, driver: string, value: JsonObject): boolean {
  if (device !== '' && device !== textAt(value, 'name')) return false;
  const seen = { driver, attributes: objectAt(value, 'attributes'), capacity: objectAt(value, 'capacity') };
  return expressions.every(expression => 'matches' in expression && expression.matches(seen) === true);
}
