import { VERSION } from './version.js';

/** What a person is told of an error that no command foresaw: what the system refused, or that it is our mistake. The stack is for a report only. */
export function unforeseenText(error: unknown, { KUBECTL_DRA_STACK: stack = '' }: NodeJS.ProcessEnv): string {
  const { name, message, syscall, stack: trace = '' } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  if (stack !== '') return `error: ${trace}\n`;
  if (syscall === 'uv_cwd') return 'error: the working directory is gone. Change to one that exists.\n';
  if (syscall !== undefined) return `error: ${message}\n`;
  return `error: kubectl-dra ${VERSION} met something that it does not know: ${name}: ${message}\n`
    + 'This is a mistake of kubectl-dra. For a report, run it again with KUBECTL_DRA_STACK=1 and add what it prints.\n';
}
