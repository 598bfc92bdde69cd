import type { ClusterView } from './cluster-view';
import { field, objectAt, objectsAt, textAt } from './json-field';
import type { ViewObject } from './view-object';
import type { JsonObject } from '../manifests/manifest-set';
import type { Target } from '../target/target';

/** The slices as the scheduler sees them: with the taints that DeviceTaintRules add, where the cluster acts on them. */
export function taintedSlices(view: ClusterView, target: Target): readonly JsonObject[] {
  const slices = view.all('ResourceSlice').map(slice => slice.value);
  // In 1.34 one gate switched both.
  const on = target.isOn('DRADeviceTaints', 'kube-scheduler') && (!target.atLeast('1.35') || target.isOn('DRADeviceTaintRules', 'kube-scheduler'));
  const rules = on ? view.all('DeviceTaintRule') : [];
  if (rules.length === 0) return slices;
  return slices.map(slice => {
    const spec = objectAt(slice, 'spec');
    const ofSlice = rules.filter(rule => coversSlice(rule, spec));
    if (ofSlice.length === 0) return slice;
    const devices = objectsAt(spec, 'devices').map(device => {
      const added = ofSlice.filter(rule => coversDevice(rule, device)).map(rule => objectAt(rule.value, 'spec', 'taint'));
      return added.length === 0 ? device : { ...device, taints: [...objectsAt(device, 'taints'), ...added] };
    });
    return { ...slice, spec: { ...spec, devices } };
  });
}

/** Without a selector a rule covers nothing. */
function coversSlice({ value }: ViewObject, spec: JsonObject): boolean {
  if (field(value, 'spec', 'deviceSelector') === undefined) return false;
  const driver = textAt(value, 'spec', 'deviceSelector', 'driver');
  const pool = textAt(value, 'spec', 'deviceSelector', 'pool');
  return (driver === '' || driver === textAt(spec, 'driver')) && (pool === '' || pool === textAt(spec, 'pool', 'name'));
}

function coversDevice({ value }: ViewObject, device: JsonObject): boolean {
  const name = textAt(value, 'spec', 'deviceSelector', 'device');
  return name === '' || name === textAt(device, 'name');
}
