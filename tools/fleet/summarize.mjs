// Prints what examples/fleet is made from: `node tools/fleet/summarize.mjs DIR > examples/fleet/summary.json`.
import { countRequests, NODES, readNodes, readTasks, TASKS, traceFolder } from './trace.mjs';

/** A request for fewer devices, over all its tasks, gets no template. Counted in tasks, the few large jobs would get none. */
const FREQUENT = 10;

const folder = traceFolder();
const nodes = readNodes(folder);
const tasks = readTasks(folder);
const requests = countRequests(tasks);
const frequent = requests.filter(({ tasks: count, gpus }) => count * gpus >= FREQUENT);

const summary = {
  about: {
    source: `Alibaba cluster trace programme, github.com/alibaba/clusterdata, cluster-trace-gpu-v2023: ${NODES}, ${TASKS}`,
    terms: 'counts derived from the trace; the trace itself is offered there for research and study and is no part of this repository',
    command: 'node tools/fleet/summarize.mjs DIR > examples/fleet/summary.json',
    tiers: 'batch: qos BE; online: LS, Guaranteed and Burstable',
    milli: 'thousandths of each GPU; models: any of these, none means every model',
    frequent: `at least ${FREQUENT} devices over all tasks of a tier, a share being one`,
  },
  totals: {
    nodes: nodes.length,
    gpus: sum(gpusOf(nodes)),
    tasks: tasks.length,
    gpuTasks: sum(requests.map(request => request.tasks)),
    distinctRequests: requests.length,
    frequentRequests: frequent.length,
    tasksOfFrequentRequests: sum(frequent.map(request => request.tasks)),
  },
  models: groupBy(nodes, node => node.model)
    .map(([model, group]) => ({ model, nodes: group.length, gpus: sum(gpusOf(group)), mostOnANode: Math.max(...gpusOf(group)) })),
  modelSets: groupBy(requests, request => request.models.join(' '))
    .map(([, group]) => ({ models: group[0].models, tasks: sum(group.map(request => request.tasks)) })),
  requests: [...frequent].sort((a, b) => compare(a.tier, b.tier)),
};
process.stdout.write(`${withShortRows(JSON.stringify(summary, null, 2))}\n`);

function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) groups.set(keyOf(item), [...groups.get(keyOf(item)) ?? [], item]);
  return [...groups].sort(([a], [b]) => compare(a, b));
}

function gpusOf(group) {
  return group.map(node => node.gpus);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An entry a line: a changed count is then a changed line in a review. */
function withShortRows(json) {
  return json.replace(/\{\n {6}[^{}]*\n {4}\}/g, row => row.replace(/\n\s*/g, ' '));
}
