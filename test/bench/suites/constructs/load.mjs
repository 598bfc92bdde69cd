/** Child process: what loading one module adds. Arguments: the module, then those that are there already. */
import { createRequire } from 'node:module';
import { reportSamples, stopwatch } from '../../sample.mjs';

const require = createRequire(import.meta.url);
const [module, ...loaded] = process.argv.slice(2);
loaded.forEach(name => require(name));

const before = process.memoryUsage.rss();
const loading = stopwatch();
require(module);
reportSamples({ loading: { ...loading(), memory: process.memoryUsage.rss() - before } });
