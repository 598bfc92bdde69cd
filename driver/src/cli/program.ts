import { Command, CommanderError } from 'commander';

import { UsageError } from './command.js';
import type { ExitCode } from './command.js';
import { COMMANDS } from './commands.js';
import type { Io } from './io.js';
import { VERSION } from './version.js';

/** Runs one command line (without node and script) and gives the exit code; what it prints goes through `io`. */
export async function runProgram(args: readonly string[], io: Io): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const program = commandLine(io, (code) => { exitCode = code; });
  if (args.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync(withoutEmptyHelp(args), { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed its message by now; its code 0 stands for help and version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UsageError)) throw error;
    io.err(`error: ${error.message}\n`);
    return 2;
  }
}

/** Commander shows all commands for `help chek` and does not say why; for `chek` it says what was meant. */
function withoutEmptyHelp(args: readonly string[]): string[] {
  const [first, wanted = ''] = args;
  const isUnknown = first === 'help' && /^[^-]/.test(wanted) && !COMMANDS.some(({ name }) => name === wanted);
  return isUnknown ? args.slice(1) : [...args];
}

function commandLine(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('kubectl-dra')
    .description('Dynamic Resource Allocation on Kubernetes: checks manifests before a cluster sees them, explains, and moves pools to DRA.\nAlso runs as `kubectl dra` (kubectl finds it by its name) and as `dra`.')
    .version(VERSION, '--version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError()
    .showHelpAfterError('See kubectl-dra --help.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const { name, topic, define } of COMMANDS) {
    const command = program.command(name).helpGroup(`${topic}:`).showHelpAfterError(`See kubectl-dra ${name} --help.`);
    define(command, io, finish);
  }
  return program;
}

const EXAMPLES = `
Examples:
  kubectl-dra check dist/                 check what a synth wrote
  helm template . | kubectl-dra check -   check what a chart renders
  kubectl-dra check --explain DRA101      read about a finding
  kubectl-dra status                      where each pool of a migration stands
  kubectl-dra hold a100 --reason '…'      stop new work on a pool now

Exit codes: 0 nothing found, 1 findings, 2 wrong usage or unreadable settings.
`;
