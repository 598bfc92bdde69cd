import { Argument, InvalidArgumentError, Option } from 'commander';

import { isAtLeast, SEVERITIES } from './check/check-result.js';
import type { CheckResult } from './check/check-result.js';
import { CONFIG_FILE, readConfig } from './check/config-file.js';
import { codeList, codeListJson, explanation, requireFailure } from './check/explain-code.js';
import { githubReport } from './check/github-report.js';
import { jsonReport } from './check/json-report.js';
import { runCheck } from './check/run-check.js';
import type { CheckRun, CheckSettings } from './check/run-check.js';
import { sarifReport } from './check/sarif-report.js';
import { findingsReport, textReport } from './check/text-report.js';
import { UsageError } from './command.js';
import type { CliCommand, ExitCode } from './command.js';
import type { Io } from './io.js';

const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

/** The oldest version that is supported; PlatformApp assumes the same. */
const DEFAULT_KUBERNETES = '1.34';

interface CheckOptions {
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly output: typeof FORMATS[number];
  readonly ignore?: readonly string[];
  readonly config?: string;
  readonly failOn?: CheckSettings['failOn'];
  readonly explain?: string;
  readonly listCodes?: true;
  readonly quiet?: true;
}

export const checkCommand: CliCommand = {
  name: 'check',
  topic: 'Manifests, without a cluster',
  define(command, io, finish) {
    command
      .description('find what a cluster would refuse, drop or never serve')
      .addArgument(new Argument('[paths...]', 'files, folders (*.yaml, *.yml, *.json in them and below), or - for standard input'))
      .option('--kubernetes <version>', `version of the cluster (default: ${DEFAULT_KUBERNETES}, the oldest supported)`)
      .option('--feature-gates <gates>', 'gates of the cluster that differ from the default, e.g. DRADeviceTaints=true,kubelet:DRAExtendedResource=false')
      .addOption(new Option('-o, --output <format>', 'form of the result').choices(FORMATS).default('text'))
      .addOption(new Option('--ignore <codes>', 'codes to leave out, e.g. DRA130,DRA140').argParser(codes))
      .option('--config <file>', `settings of the project (default: ${CONFIG_FILE} in the working directory)`)
      .addOption(new Option('--fail-on <severity>', 'exit with 1 for findings of this severity or worse (default: error)').choices(SEVERITIES))
      .option('--quiet', 'print only findings that make the check fail')
      .option('--explain <code>', 'print what a code means and how to mend it')
      .option('--list-codes', 'print every code')
      .addHelpText('after', EXAMPLES)
      .action(async (paths: readonly string[], options: CheckOptions) => finish(await check(paths, options, io)));
  },
};

const EXAMPLES = `
Examples:
  kubectl-dra check dist/                             a folder, for Kubernetes ${DEFAULT_KUBERNETES}
  kubectl-dra check --kubernetes 1.36 dist/           before an upgrade
  helm template . | kubectl-dra check -               what a chart renders
  kubectl kustomize overlays/prod | kubectl-dra check -
  kubectl-dra check --feature-gates DRADeviceTaints=true dist/
  kubectl-dra check -o sarif dist/ > dra.sarif        for code scanning
  kubectl-dra check -o github --fail-on warning dist/ annotations in GitHub Actions
  kubectl-dra check --explain DRA101

Settings that a project keeps, in ${CONFIG_FILE}:
  kubernetes: '1.35'
  featureGates: { DRADeviceTaints: true }
  failOn: warning
  ignore:
    - code: DRA130
      path: legacy/**
      object: ResourceClaim/vision/trainer
      reason: goes away with the old cluster

Exit codes: 0 nothing found, 1 findings (see --fail-on), 2 wrong usage, unreadable settings or nothing to check.
`;

async function check(paths: readonly string[], options: CheckOptions, io: Io): Promise<ExitCode> {
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
  const ignore = [...config.ignore ?? [], ...(options.ignore ?? []).map((code) => ({ code }))];
  return {
    paths,
    kubernetes: options.kubernetes ?? config.kubernetes ?? DEFAULT_KUBERNETES,
    featureGates: options.featureGates ?? config.featureGates ?? '',
    ignore: ignore.map((entry) => ({ ...entry, code: requireFailure(entry.code).code })),
    failOn: options.failOn ?? config.failOn ?? 'error',
  };
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

function codes(given: string, before: readonly string[] = []): readonly string[] {
  const list = given.split(',').map((code) => code.trim()).filter((code) => code !== '');
  if (list.length === 0) throw new InvalidArgumentError('Name at least one code.');
  return [...before, ...list];
}
