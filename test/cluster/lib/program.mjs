// kubectl-dra of the working tree within this process: a suite asks it hundreds of times, and a start takes longer than an answer.
import { ROOT } from '../../../tools/cluster/layout.mjs';
import { loadSource } from './source.mjs';

let loaded;

/**
 * Runs one command line of kubectl-dra.
 *
 * @param {string[]} args
 * @returns {Promise<{ code: number, stdout: string, stderr: string }>}
 */
export async function kubectlDra(args) {
  loaded ??= loadSource('driver/src/cli/program.ts');
  const { runProgram } = await loaded;
  const answer = { code: 2, stdout: '', stderr: '' };
  const io = {
    stdin: [],
    workingDirectory: ROOT,
    hasColor: false,
    isWatched: false,
    out: text => (answer.stdout += text),
    err: text => (answer.stderr += text),
    drained: async () => {},
    now: () => performance.now(),
  };
  answer.code = await runProgram(args, io);
  return answer;
}
