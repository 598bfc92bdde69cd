/** Child process: builds the platform and writes it, by `synth` or by cdk8s' serializer alone. Arguments: units, way, folder, Kubernetes version. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { peakMemory, reportSamples, stopwatch } from '../../sample.mjs';
import { buildPlatform } from './platform.mjs';

const { ApiObject, Chart, Yaml } = createRequire(import.meta.url)('cdk8s');

const [units, way, outdir, kubernetes] = process.argv.slice(2);
const construction = stopwatch();
const app = buildPlatform(Number(units), outdir, kubernetes);
const constructed = { ...construction(), memory: peakMemory() };

const write = way === 'synth' ? () => app.synth() : serializerAlone();
const writing = stopwatch();
write();
reportSamples({ construction: constructed, writing: { ...writing(), memory: peakMemory() } });

/** What is neither serializing nor writing is done beforehand, outside of the time. */
function serializerAlone() {
  const files = app.node.findAll().filter(construct => construct instanceof Chart).map(chart => ({
    file: join(outdir, `${chart.node.path}.yaml`),
    objects: chart.node.findAll().filter(construct => construct instanceof ApiObject && construct.chart === chart),
  }));
  for (const { file } of files) mkdirSync(dirname(file), { recursive: true });
  return () => {
    for (const { file, objects } of files) writeFileSync(file, Yaml.stringify(...objects.map(object => object.toJson())));
  };
}
