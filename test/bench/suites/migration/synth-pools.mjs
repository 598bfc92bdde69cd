/** Child process: builds examples/fleet in pools and writes it. Arguments: number of pools, folder. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { peakMemory, reportSamples, stopwatch } from '../../sample.mjs';

const require = createRequire(import.meta.url);
process.env.TS_NODE_PROJECT = fileURLToPath(new URL('../../../../examples/tsconfig.json', import.meta.url));
require('ts-node/register/transpile-only');
const { migrateFleet } = require('../../../../examples/fleet/migrate.ts');

const [pools, outdir] = process.argv.slice(2);
const construction = stopwatch();
const app = migrateFleet(Number(pools), outdir);
const constructed = { ...construction(), memory: peakMemory() };
const writing = stopwatch();
app.synth();
reportSamples({ construction: constructed, writing: { ...writing(), memory: peakMemory() } });
