import type { CheckOptions } from '../check.js';
import { UsageError } from '../command.js';
import type { ExitCode } from '../command.js';
import { targetOf } from '../input/view-of-files.js';
import type { Io } from '../io.js';
import { isAtLeast } from './check-result.js';
import type { CheckResult } from './check-result.js';
import { readConfig } from './config-file.js';
import { CONFIG_FILE, DEFAULT_KUBERNETES } from './defaults.js';
import { codeList, codeListJson, explanation, requireFailure } from './explain-code.js';
import { githubReport } from './github-report.js';
import { jsonReport } from './json-report.js';
import { runCheck } from './run-check.js';
import type { CheckRun, CheckSettings } from './run-check.js';
import { sarifReport } from './sarif-report.js';
import { findingsReport, textReport } from './text-report.js';

/** Checks, or answers about codes; gives the exit code. */
export async function check(paths: readonly string[], options: CheckOptions, io: Io): Promise<ExitCode> {
  if (options.listCodes === true) {
    io.out(options.output === 'json' ? codeListJson() : codeList());
    return 0;
  }
  if (options.explain !== undefined) {
    const failure = requireFailure(options.explain);
    io.out(options.output === 'json' ? `${JSON.stringify(failure, null, 2)}\n` : explanation(failure));
    return 0;
  }
  if (paths.length === 0) throw new UsageError('nothing to check: name files or folders, or - for standard input, e.g. kubectl-dra check dist/');
  const settings = settingsOf(paths, options, io.workingDirectory);
  const run = await runCheck(settings, io);
  io.out(render(run.result, options, settings, io));
  warnOfUnusedIgnores(run, io);
  return run.result.findings.some((finding) => isAtLeast(finding.severity, settings.failOn)) ? 1 : 0;
}

function settingsOf(paths: readonly string[], options: CheckOptions, workingDirectory: string): CheckSettings {
  const config = readConfig(options.config, workingDirectory);
  const configured = <T>(judge: () => T) => inFile(options.config ?? CONFIG_FILE, judge);
  const kubernetes = options.kubernetes ?? config.kubernetes ?? DEFAULT_KUBERNETES;
  const featureGates = options.featureGates ?? config.featureGates ?? '';
  if (options.kubernetes === undefined && options.featureGates === undefined) configured(() => targetOf(kubernetes, featureGates));
  return {
    paths,
    kubernetes,
    featureGates,
    ignore: [
      ...(config.ignore ?? []).map((entry) => ({ ...entry, code: configured(() => requireFailure(entry.code).code) })),
      ...(options.ignore ?? []).map((code) => ({ code: requireFailure(code).code })),
    ],
    ...options.previous === undefined ? {} : { previous: [options.previous] },
    ...options.snapshot === undefined ? {} : { snapshot: [options.snapshot] },
    failOn: options.failOn ?? config.failOn ?? 'error',
  };
}

/** A mistake in the settings names their file: nobody wrote it on the command line. */
function inFile<T>(file: string, judge: () => T): T {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${file}: ${error.message}`);
  }
}

function render(result: CheckResult, options: CheckOptions, settings: CheckSettings, io: Io): string {
  const failing = result.findings.filter((finding) => isAtLeast(finding.severity, settings.failOn));
  const shown = options.quiet === true ? { ...result, findings: failing } : result;
  switch (options.output) {
    case 'json': return jsonReport(shown);
    case 'sarif': return sarifReport(shown, io.workingDirectory);
    case 'github': return githubReport(shown);
    default: return options.quiet === true ? findingsReport(failing, io.hasColor) : textReport(result, io.hasColor);
  }
}

/** Only for entries of the file: a code on the command line is often given to many runs. */
function warnOfUnusedIgnores({ unusedIgnores }: CheckRun, io: Io): void {
  for (const { code, path, object, reason } of unusedIgnores) {
    if (reason === undefined) continue;
    const conditions = [path, object].filter((part) => part !== undefined).join(' ');
    io.err(`note: the ignore entry ${code}${conditions === '' ? '' : ` ${conditions}`} matched nothing; remove it if the mistake is gone\n`);
  }
}
