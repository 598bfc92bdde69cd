/** Child process: builds the platform and writes it, with `synth` or with cdk8s' serializer alone. Arguments: units, way, folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { reportSample, stopwatch } from '../../sample.mjs';
import { buildPlatform } from './platform.mjs';

const { ApiObject, Chart, Yaml } = createRequire(import.meta.url)('cdk8s');

const [units, way, outdir] = process.argv.slice(2);
const construction = stopwatch();
const app = buildPlatform(Number(units), outdir);
const built = construction();

const write = way === 'synth' ? () => app.synth() : serializerOnly();
const writing = stopwatch();
write();
reportSample({ construction: built, writing: writing() });

/** Everything that is not serializing or writing is done beforehand. */
function serializerOnly() {
  const files = app.node.findAll().filter(construct => construct instanceof Chart).map(chart => ({
    file: join(outdir, `${chart.node.path}.yaml`),
    objects: chart.node.findAll().filter(construct => construct instanceof ApiObject && Chart.of(construct) === chart),
  }));
  for (const { file } of files) mkdirSync(dirname(file), { recursive: true });
  return () => {
    for (const { file, objects } of files) writeFileSync(file, Yaml.stringify(...objects.map(object => object.toJson())));
  };
}
