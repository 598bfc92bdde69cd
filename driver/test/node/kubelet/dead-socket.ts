import { execFileSync } from 'node:child_process';

/** A socket as SIGKILL leaves it: the file is there, and nobody answers. */
export function leaveDeadSocket(path: string): void {
  const script = 'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))';
  try {
    execFileSync(process.execPath, ['-e', script, path], { stdio: 'ignore', env: {} });
  } catch {
    // It was killed.
  }
}
