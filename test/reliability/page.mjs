/** docs/reliability.md from the cells of all operations. */
export function pageText(table) {
  return `${HEAD}${Object.entries(SECTIONS).map(([operation, [title, text]]) => `## ${title}\n\n${text}\n\n${tableText(table[operation])}\n`).join('\n')}\n${FOOT}`;
}

function tableText(rows) {
  const faults = Object.keys(rows[0].cells);
  return [
    `| step | ${faults.join(' | ')} |`,
    `| --- | ${faults.map(() => '---').join(' | ')} |`,
    ...rows.map(({ text, cells }) => `| ${text} | ${faults.map(fault => cells[fault]).join(' | ')} |`),
  ].join('\n');
}

const HEAD = `# Faults at every step

What becomes of a claim or a slice when something fails at the worst moment. Nothing here is written by hand: the agent's bundle runs as a process
beside a played kubelet and a played API server, on a real disk; it is stopped before each step, meets the fault there, goes on, and what happens is
put into the table. A step is a request, a call of the file system or a change of the hardware.

- **kill -9**: the process is killed at the step, and started again.
- **API server away**: from the step on every request is answered with 503, until the call has ended.
- **disk full**: from the step on nothing can be created or written in the folders of records and CDI files, until the call has ended. What needs no room,
  such as renaming and removing, goes on.
- **kubelet restarts**: kubelet is gone at the step, its call with it; when it comes back it knows nothing, and deletes the slices of its node.

`;

const CALL = 'A cell says what kubelet was told (`ok`, a [code](node-failures.md), or no answer), and whether the device is then `held` for the claim, so that another claim is refused with DRA320, or `free`, so that another claim gets it.';

const SECTIONS = {
  prepare: ['Prepare', `${CALL}

Each cell is three stories, and is only filled in when all of them end well: kubelet asks again and gets the device, with one record, one CDI file, and hardware that is set
up once; kubelet wants the claim back instead, and nothing is left of it; another claim asks for the device, and never has it beside the first.`],
  unprepare: ['Unprepare', `${CALL} Kubelet asks again, and nothing is left: no record, no CDI file, hardware as nobody had touched it.`],
  start: ['Start', 'Slices of two parts and 140 devices are published by an agent that starts. `whole`: all devices are offered in one generation once the fault is over.'],
  publish: ['Slices deleted by others', 'Somebody deletes all slices; the agent puts them back, and meets the fault meanwhile.'],
  change: ['Change of all slices', 'The node is frozen, so that every slice changes and gets a new generation.'],
};

const FOOT = `Loss of power is tried on a disk in memory that forgets what was never synced: \`driver/test/node/claims/crash-everywhere.test.ts\`. On real kubelets the suite
\`agent\` takes samples of this page: [cluster.md](cluster.md).

Written by \`npm run reliability\`, which fails when a cell is not as it must be.
`;
