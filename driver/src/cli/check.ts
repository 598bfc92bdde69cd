import { Argument, InvalidArgumentError, Option } from 'commander';

import { SEVERITIES } from './check/check-result.js';
import { CONFIG_FILE, DEFAULT_KUBERNETES } from './check/defaults.js';
import type { CheckSettings } from './check/run-check.js';
import type { CliCommand } from './command.js';

const FORMATS = ['text', 'json', 'sarif', 'github'] as const;

export interface CheckOptions {
  readonly kubernetes?: string;
  readonly featureGates?: string;
  readonly output: typeof FORMATS[number];
  readonly ignore?: readonly string[];
  readonly config?: string;
  readonly failOn?: CheckSettings['failOn'];
  readonly explain?: string;
  readonly listCodes?: true;
  readonly quiet?: true;
  readonly previous?: string;
  readonly snapshot?: string;
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
      .option('--previous <path>', 'file or folder of the commit before: also find moves of pools and changes of objects that are not allowed')
      .option('--snapshot <path>', 'what `kubectl-dra collect` wrote, or nodes and slices as YAML: also hold the plan of pools against the cluster')
      .option('--quiet', 'print only findings that make the check fail')
      .option('--explain <code>', 'print what a code means and how to mend it')
      .option('--list-codes', 'print every code')
      .addHelpText('after', EXAMPLES)
      .action(async (paths: readonly string[], options: CheckOptions) => {
        // Read when needed: rules and selectors would slow the start of every other command.
        const { check } = await import('./check/check-action.js');
        finish(await check(paths, options, io));
      });
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
  kubectl-dra check dist/ --previous main/dist        also skipped phases, shrunk canaries, pools that are gone
  kubectl-dra check dist/ --snapshot cluster.json     also pools without nodes, nodes of two pools, devices offered twice
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

Exit codes: 0 nothing found, 1 findings (see --fail-on), 2 wrong usage, unreadable settings or no object to check.
`;

function codes(given: string, before: readonly string[] = []): readonly string[] {
  const list = given.split(',').map((code) => code.trim()).filter((code) => code !== '');
  if (list.length === 0) throw new InvalidArgumentError('Name at least one code.');
  return [...before, ...list];
}
