// Reads the public trace of a GPU cluster: nodes with models, tasks with what they ask for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const NODES = 'openb_node_list_gpu_node.csv';
export const TASKS = 'openb_pod_list_gpuspec33.csv';

/** The folder that the command line names; ends the program with a hint when there is none. */
export function traceFolder() {
  const folder = process.argv[2];
  if (folder !== undefined) return folder;
  process.stderr.write(`Name the folder that holds ${NODES} and ${TASKS}, from alibaba/clusterdata, cluster-trace-gpu-v2023/csv.\n`);
  process.exit(2);
}

/** GPU nodes: model and number of GPUs. */
export function readNodes(folder) {
  return readRows(join(folder, NODES)).map(({ model, gpu }) => ({ model, gpus: Number(gpu) }));
}

/** All tasks; those without a GPU have `gpus` 0. */
export function readTasks(folder) {
  return readRows(join(folder, TASKS)).map(row => ({
    name: row.name,
    tier: tierOf(row.qos),
    models: modelsOf(row.gpu_spec),
    gpus: Number(row.num_gpu),
    milli: Number(row.gpu_milli),
  }));
}

/** What tasks ask for, each kind once with the number of its tasks; most frequent first. */
export function countRequests(tasks) {
  const kinds = new Map();
  for (const { tier, models, gpus, milli } of tasks) {
    if (gpus === 0) continue;
    const key = JSON.stringify([tier, models, gpus, milli]);
    const kind = kinds.get(key) ?? { tier, models, gpus, milli, tasks: 0 };
    kind.tasks++;
    kinds.set(key, kind);
  }
  return [...kinds].sort(([a, x], [b, y]) => y.tasks - x.tasks || (a < b ? -1 : 1)).map(([, kind]) => kind);
}

/** The trace has no teams; its service class is the nearest thing to one: best effort (BE) against all that somebody waits for. */
function tierOf(qos) {
  return qos === 'BE' ? 'batch' : 'online';
}

/** Some rows name a model twice, and order differs: a set is what they mean. Empty: any model. */
function modelsOf(spec) {
  return spec === '' ? [] : [...new Set(spec.split('|'))].sort();
}

function readRows(file) {
  const [header, ...lines] = readFileSync(file, 'utf8').trimEnd().split(/\r?\n/);
  const names = header.split(',');
  return lines.map(line => Object.fromEntries(line.split(',').map((cell, column) => [names[column], cell])));
}
