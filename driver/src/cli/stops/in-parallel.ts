import { isApiError, UnreachableError } from '../../kube/api-error.js';

/** Works on all, some at once; gives why some failed. An object that is gone is no failure. */
export async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<unknown>): Promise<readonly string[]> {
  const failures: string[] = [];
  const rest = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const one of rest) {
      try {
        await work(one);
      } catch (error) {
        if (error instanceof UnreachableError) failures.push(error.message);
        else if (!isApiError(error)) throw error;
        else if (error.status !== 404) failures.push(error.message);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return failures;
}

const AT_ONCE = 16;
