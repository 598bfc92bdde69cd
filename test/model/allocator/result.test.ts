import { alternative, ask, claim, device, deviceClass, DRIVER, exactly, outcome, slice } from './cluster';
import type { Cluster, Json } from './cluster';
import type { Minor } from '../../../src/model/target';

const opaque = (value: number): Json => ({ opaque: { driver: DRIVER, parameters: { value } } });
const two = [slice([device('a'), device('b')])];

function allocation(cluster: Cluster): Json {
  return ask(cluster).results?.[0] as unknown as Json;
}

describe('configuration', () => {
  const classes = [deviceClass('gpu', { config: [opaque(1), opaque(2)] })];
  const config = (more: Json, claimed: readonly Json[] = [], minor: Minor = '1.36'): unknown => (allocation({
    minor, classes, slices: two, claims: [claim([exactly('r'), exactly('s')], claimed.length > 0 ? { config: claimed } : {})], ...more,
  }).devices as Json).config;

  test('of a class comes once, for all its requests', () => {
    expect(config({})).toEqual([
      { source: 'FromClass', requests: ['r', 's'], ...opaque(1) }, { source: 'FromClass', requests: ['r', 's'], ...opaque(2) },
    ]);
  });

  test('from 1.37 on names no requests when it is for all of them', () => {
    expect(config({}, [], '1.37')).toEqual([{ source: 'FromClass', ...opaque(1) }, { source: 'FromClass', ...opaque(2) }]);
  });

  test.each<[Minor, number]>([['1.36', 2], ['1.37', 1]])('of a claim that names two requests comes in %s %s times', (minor, times) => {
    const given = config({ classes: [deviceClass('gpu')] }, [{ requests: ['r', 's'], ...opaque(3) }], minor) as readonly Json[];

    expect(given).toHaveLength(times);
    expect(given[0]).toEqual({ source: 'FromClaim', ...(minor === '1.36' ? { requests: ['r', 's'] } : {}), ...opaque(3) });
  });

  test('of a claim for other requests is left out', () => {
    expect(config({ classes: [deviceClass('gpu')] }, [{ requests: ['x'], ...opaque(3) }])).toBeUndefined();
  });

  test('of a claim without requests is for all', () => {
    expect(config({ classes: [deviceClass('gpu')] }, [opaque(3)])).toEqual([{ source: 'FromClaim', ...opaque(3) }]);
  });

  test('follows the alternative that was taken', () => {
    const claims = [claim([{ name: 'r', firstAvailable: [alternative('x', { count: 3 }), alternative('y')] }], {
      config: [{ requests: ['r/x'], ...opaque(3) }, { requests: ['r/y'], ...opaque(4) }, { requests: ['r'], ...opaque(5) }],
    })];

    expect(config({ classes: [deviceClass('gpu', { config: [opaque(1)] })], claims })).toEqual([
      { source: 'FromClass', requests: ['r/y'], ...opaque(1) },
      { source: 'FromClaim', requests: ['r/y'], ...opaque(4) },
      { source: 'FromClaim', requests: ['r'], ...opaque(5) },
    ]);
  });
});

describe('the node selector', () => {
  const term = (...values: readonly string[]): Json => ({ matchExpressions: [{ key: 'zone', operator: 'In', values }] });
  const selecting = (...terms: readonly Json[]): Json => ({ nodeSelector: { nodeSelectorTerms: terms } });
  const onNode = { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }] };
  const get = (slices: readonly Json[], more: Partial<Cluster> = {}): unknown => allocation({ slices, claims: [claim([exactly('r', { count: slices.length })])], ...more }).nodeSelector;

  test.each<[string, Json, unknown]>([
    ['is the node for devices of one node', { nodeName: 'n1' }, onNode],
    ['is absent for devices of all nodes', { allNodes: true }, undefined],
    ['is that of the slice', selecting(term('a')), { nodeSelectorTerms: [term('a')] }],
  ])('%s', (_, place, expected) => {
    expect(get([slice([device('d')], place)])).toEqual(expected);
  });

  test('joins the requirements of the devices, each once', () => {
    const pool = (name: string): Json => ({ pool: { name } });
    const slices = [
      slice([device('a')], { ...pool('a'), ...selecting(term('a', 'b')) }), slice([device('b')], { ...pool('b'), ...selecting(term('b', 'a')) }, 't'),
      slice([device('e')], { ...pool('e'), ...selecting({ matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n2'] }] }) }, 'u'),
    ];

    expect(get(slices)).toEqual({ nodeSelectorTerms: [{ ...term('a', 'b'), matchFields: [{ key: 'metadata.name', operator: 'NotIn', values: ['n2'] }] }] });
  });

  test.each<[Minor, unknown]>([['1.35', undefined], ['1.36', onNode]])('of a device that binds to its node is in %s %j', (minor, expected) => {
    expect(get([slice([device('d', { bindsToNode: true })], { allNodes: true })], { minor })).toEqual(expected);
  });

  test('with several terms cannot be written down', () => {
    expect(outcome({ slices: [slice([device('d')], selecting(term('a'), term('b')))], claims: [claim([exactly('r')])] }))
      .toBe('create NodeSelector for claim c: unsupported ResourceSlice.NodeSelector with 2 terms');
  });

  test('of a slice that leaves it to the devices is that of the device', () => {
    expect(get([slice([device('d', selecting(term('a')))], { perDeviceNodeSelection: true })])).toEqual({ nodeSelectorTerms: [term('a')] });
  });
});

describe('a result', () => {
  const result = (cluster: Partial<Cluster>): unknown => ((allocation({ slices: two, claims: [claim([exactly('r')])], ...cluster }).devices as Json).results as readonly Json[])[0];

  test.each<[Minor, boolean]>([['1.34', false], ['1.35', true], ['1.36', true], ['1.37', true]])('has in %s tolerations with defaults: %s', (minor, has) => {
    const claims = [claim([exactly('r', { tolerations: [{ key: 'k', value: 'v' }, { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] })])];

    expect(result({ minor, claims })).toEqual({
      request: 'r',
      driver: DRIVER,
      pool: 'p',
      device: 'a',
      ...(has ? { tolerations: [{ key: 'k', operator: 'Equal', value: 'v' }, { operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] } : {}),
    });
  });

  test('has the binding conditions of the device', () => {
    const conditions = { bindingConditions: ['Ready'], bindingFailureConditions: ['Failed'] };

    expect(result({ slices: [slice([device('a', conditions)])] })).toEqual({ request: 'r', driver: DRIVER, pool: 'p', device: 'a', ...conditions });
  });

  test('has the node operations that its slice skips, if the node agrees', () => {
    const slices = [slice([device('a')], { skipNodeOperations: ['*'] })];
    const cluster: Partial<Cluster> = { minor: '1.37', gates: { DRAOptionalNodeOperations: true }, slices };
    const node = { metadata: { name: 'n1' }, status: { declaredFeatures: ['DRAOptionalNodeOperations'] } };

    expect(result({ ...cluster, node })).toEqual({ request: 'r', driver: DRIVER, pool: 'p', device: 'a', skipNodeOperations: ['*'] });
    expect(outcome({ claims: [claim([exactly('r')])], ...cluster, slices })).toBe('none');
  });
});
