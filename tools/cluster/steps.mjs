import { Failure } from './failure.mjs';
import { lastLines } from './processes.mjs';
import { isAlive } from './process-identity.mjs';
import { Timeout, waitFor } from './wait.mjs';

/** Waits until a process is ready; a process that ended, or a deadline, becomes a Failure with the last lines of its log. */
export async function untilReady(process, probe, { seconds = 120 } = {}) {
  const ended = () => Object.assign(failed(`${process.name} ended while it started`, process), { fatal: true });
  try {
    return await waitFor(
      `${process.name} to be ready`,
      async () => {
        if (!isAlive(process)) throw ended();
        try {
          return await probe();
        } catch (error) {
          if (!isAlive(process)) throw ended();
          throw error;
        }
      },
      { seconds },
    );
  } catch (error) {
    if (error instanceof Timeout) throw failed(`${process.name} was not ready in time. ${error.message}`, process);
    throw error;
  }
}

function failed(what, { log }) {
  const text = lastLines(log);
  return new Failure(`${what}. The end of its log:\n\n${text}\n\n${wayOut(text)}`);
}

function wayOut(text) {
  const gate = /unrecognized feature gate: (\w+)/.exec(text)?.[1];
  if (gate !== undefined)
    return `This minor knows no gate ${gate}. Correct --feature-gates; a running server lists its gates at /metrics, as kubernetes_feature_enabled.`;
  if (/cannot set feature gate|locked to/.test(text)) return 'A gate that is locked in this minor cannot be set. Leave it out of --feature-gates.';
  if (/has not been registered/.test(text)) return 'This minor has no such version of the API. Correct --runtime-config.';
  if (/address already in use/.test(text)) return 'Somebody took the port in the meantime. Run it again.';
  if (/no space left on device/.test(text)) return 'The disk is full. Make room and run it again.';
  if (/too many open files|inotify/.test(text))
    return 'The limit on open files or inotify watches is reached. Raise it (ulimit -n, fs.inotify.max_user_instances) and run it again.';
  return 'Nothing is left running. The logs were kept: see the folder named below.';
}
