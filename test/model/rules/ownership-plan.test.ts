import { manifestsOf } from './check';
import { ManifestSet } from '../../../src/model/manifests/manifest-set';
import { OWN_OBJECTS_RULE } from '../../../src/model/rules/own-objects-rule';
import { migrationsIn } from '../../../src/model/rules/ownership-plan';
import { Place } from '../../../src/model/rules/place';
import { report } from '../../../src/model/rules/report';
import { Target } from '../../../src/model/target';

const MIGRATION = JSON.stringify({
  apiVersion: 'cdk8s-dra.dev/v1alpha1',
  kind: 'DeviceMigration',
  metadata: { name: 'a100' },
  spec: { family: 'gpu', driver: 'gpu.example.com', nodes: { matchLabels: { pool: 'a100' } }, deviceClassNames: ['gpu-large'], phase: 'Observe' },
});

test('whether a migration is sound is asked once for each target, and each target has its own answer', () => {
  const run = jest.spyOn(OWN_OBJECTS_RULE, 'run').mockImplementation((context) => {
    const [object] = context.manifests.objects;
    if (!context.target.atLeast('1.36')) report(context, 'DRA120', Place.root(object), { message: 'not here', help: '' });
  });
  const manifests = new ManifestSet(manifestsOf(MIGRATION));
  const [old, next] = [Target.of('1.35'), Target.of('1.36')];
  const counts = [old, next, old, next].map(target => migrationsIn(manifests, target).length);

  expect(counts).toEqual([0, 1, 0, 1]);
  expect(run).toHaveBeenCalledTimes(2);
  run.mockRestore();
});
