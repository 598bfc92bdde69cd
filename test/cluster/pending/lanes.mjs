// Many cases on one cluster: those that bear company side by side, then the others one by one.

/** At least the number of processors; most of the time a case waits. */
const LANES = 5;

/**
 * Starts all cases; answers for each name a promise of what `run` gives, which can be awaited in any order.
 *
 * @template T
 * @param {import('./case-file.mjs').PendingCase[]} cases
 * @param {(pendingCase: import('./case-file.mjs').PendingCase) => Promise<T>} run
 * @returns {Map<string, () => Promise<T>>}
 */
export function startAll(cases, run) {
  const outcomes = new Map(cases.map(({ name }) => [name, outcome()]));
  const together = cases.filter(({ alone }) => !alone);
  const lane = async () => {
    for (let one = together.shift(); one !== undefined; one = together.shift()) await outcomes.get(one.name).settle(run, one);
  };
  void Promise.all(Array.from({ length: LANES }, lane)).then(async () => {
    for (const one of cases.filter(({ alone }) => alone)) await outcomes.get(one.name).settle(run, one);
  });
  return new Map([...outcomes].map(([name, { result }]) => [name, result]));
}

/** The result of something that starts later; a failure that nobody has asked for yet is none of the process. */
function outcome() {
  let done;
  const settled = new Promise(resolve => (done = resolve));
  return {
    settle: async (run, one) => {
      try {
        const value = await run(one);
        done(() => value);
      } catch (error) {
        done(() => {
          throw error;
        });
      }
    },
    result: async () => (await settled)(),
  };
}
