import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { Construct } from 'constructs';
import { ZOO, ZOO_TARGET, type Specimen } from './zoo';
import { KINDS } from '../imports/fields';
import { ownCrd } from '../src/model/api';
import { runRules } from '../src/model/rules';

const NAMED = ZOO.map(specimen => [`${specimen.construct} (${specimen.size})`, specimen] as const);

/** The objects of a specimen, in a chart with a namespace, below as many constructs as `depth` says. */
function objectsOf(specimen: Specimen, depth = 0): ApiObject[] {
  const app = new App();
  ZOO_TARGET.applyTo(app);
  let scope: Construct = new Chart(app, 'chart', { namespace: 'team' });
  for (let level = 0; level < depth; level++) scope = new Construct(scope, `level-${level}`);
  specimen.build(scope, 'specimen');
  return app.node.findAll().filter((construct): construct is ApiObject => construct instanceof ApiObject);
}

describe.each(NAMED)('%s', (_name, specimen) => {
  test('renders the same bytes twice', () => {
    const objects = objectsOf(specimen);
    expect(objects.length).toBeGreaterThan(0);
    const [first, second] = [0, 1].map(() => JSON.stringify(objects.map(object => object.toJson())));
    expect(second).toBe(first);
  });

  test('has the same names and content under another parent', () => {
    expect(objectsOf(specimen, 3).map(object => object.toJson())).toEqual(objectsOf(specimen).map(object => object.toJson()));
  });

  test('keeps fields that this library does not know', () => {
    for (const object of objectsOf(specimen)) {
      object.addJsonPatch(JsonPatch.add('/newField', { fromTheFuture: [1, { deep: true }] }));
      expect(object.toJson().newField).toEqual({ fromTheFuture: [1, { deep: true }] });
    }
  });

  test('writes a namespace on namespaced kinds only', () => {
    for (const object of objectsOf(specimen)) {
      const { apiVersion, kind, metadata } = object.toJson();
      // Kinds of other projects, of which only namespaced ones are emitted.
      const namespaced = ownCrd(object.apiGroup, kind)?.spec.scope === 'Namespaced'
        || apiVersion.startsWith('monitoring.coreos.com/') || KINDS[`${apiVersion}/${kind}`]?.namespaced === true;
      expect([kind, metadata.namespace !== undefined]).toEqual([kind, namespaced]);
    }
  });

  test('says who made it and which part it is', () => {
    for (const object of objectsOf(specimen)) {
      expect(object.toJson().metadata.labels).toMatchObject({
        'app.kubernetes.io/managed-by': 'cdk8s-dra',
        'app.kubernetes.io/component': expect.stringMatching(/^[a-z-]+$/),
      });
    }
  });

  test('passes every check for its target', () => {
    const manifests = objectsOf(specimen).map(object => ({ value: object.toJson(), source: { name: object.node.path } }));
    const errors = runRules(manifests, ZOO_TARGET._target).filter(finding => finding.severity === 'error');
    // What refers to objects outside of the zoo is not this law's matter.
    expect(errors.filter(({ code }) => !code.startsWith('DRA13') && !code.startsWith('DRA15'))).toEqual([]);
  });
});

test('the zoo holds a minimal and a full specimen of every exported construct', () => {
  const assembly = JSON.parse(readFileSync(join(__dirname, '..', '.jsii'), 'utf8'));
  const constructs = Object.values<any>(assembly.types)
    .filter(type => type.kind === 'class' && isConstruct(type, assembly.types) && type.name !== 'PlatformApp')
    .map(type => type.name)
    .sort();
  for (const size of ['minimal', 'full']) {
    expect([...new Set(ZOO.filter(specimen => specimen.size === size).map(({ construct }) => construct))].sort()).toEqual(constructs);
  }
});

function isConstruct(type: any, types: any): boolean {
  if (type.base === 'constructs.Construct') return true;
  return type.base !== undefined && types[type.base] !== undefined && isConstruct(types[type.base], types);
}
