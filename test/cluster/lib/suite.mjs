// A suite is a list of contracts; a contract is one fact about a server, tried on a real one.

/**
 * @typedef {object} Contract
 * @property {string} id stable, kebab case
 * @property {string} text the fact, as a sentence without a full stop
 * @property {'live' | 'lab'} where `lab`: makes nodes, slices or faults, so it is tried on clusters of ours only
 * @property {string} [since] first minor that keeps it
 * @property {(cluster: import('./cluster.mjs').TestCluster) => Promise<string | void>} run throws when the contract is broken; answers evidence
 */

/**
 * What a file in `suites` exports.
 *
 * @typedef {object} Suite
 * @property {Contract[]} contracts
 * @property {(cluster: import('./cluster.mjs').TestCluster) => Promise<Omit<Result, 'suite'>[]>} [tryAll] instead of `contracts`: a program
 * that tries its own
 * @property {(cluster: import('./cluster.mjs').TestCluster) => Promise<void>} [cleanUp] removes what the contracts left for each other
 * @property {boolean} [onlyByName] whether it is left out unless it is asked for
 * @property {import('../../../tools/cluster/options.mjs').ClusterOptions} [needs] options of its cluster, beside those of the command line
 */

/**
 * @typedef {object} Result
 * @property {string} suite
 * @property {string} id
 * @property {string} text
 * @property {'kept' | 'broken' | 'not applicable' | 'not tried'} verdict
 * @property {string} detail what was wrong, why there is no verdict, or evidence
 * @property {number} seconds
 */

/** Thrown by a contract that cannot be tried here; the message says why. */
export class NotTried extends Error {}

/** Thrown by a contract that says nothing about this minor or these gates; the message says why. */
export class NotApplicable extends Error {}

/** Throws unless the fact holds. */
export function expect(holds, message) {
  if (!holds) throw new Error(message);
}

/**
 * Tries the contracts of a suite in order, then lets it clean up what they left for each other.
 *
 * @param {Suite & { name: string }} suite
 * @returns {Promise<Result[]>}
 */
export async function runSuite({ name, contracts, tryAll, cleanUp = () => {} }, cluster, onResult = () => {}) {
  if (tryAll !== undefined) {
    const results = (await tryAll(cluster)).map(result => ({ suite: name, ...result }));
    results.forEach(result => onResult(result));
    return results;
  }
  const results = [];
  for (const contract of contracts) {
    const start = Date.now();
    const { verdict, detail } = await tryContract(contract, cluster);
    const result = { suite: name, id: contract.id, text: contract.text, verdict, detail, seconds: (Date.now() - start) / 1000 };
    results.push(result);
    onResult(result);
  }
  await cleanUp(cluster);
  return results;
}

async function tryContract(contract, cluster) {
  if (contract.where === 'lab' && !cluster.own) return { verdict: 'not tried', detail: 'needs a cluster of ours: it makes nodes, slices or faults' };
  if (contract.since !== undefined && minorNumber(cluster.minor) < minorNumber(contract.since)) {
    return { verdict: 'not applicable', detail: `from ${contract.since} on` };
  }
  try {
    return { verdict: 'kept', detail: (await contract.run(cluster)) ?? '' };
  } catch (error) {
    if (error instanceof NotApplicable) return { verdict: 'not applicable', detail: error.message };
    if (error instanceof NotTried) return { verdict: 'not tried', detail: error.message };
    return { verdict: 'broken', detail: error instanceof Error ? error.message : String(error) };
  }
}

/** 34 for `1.34`. */
export function minorNumber(minor) {
  return Number(minor.split('.')[1]);
}
