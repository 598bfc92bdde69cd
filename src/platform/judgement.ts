import type { RenderedTree } from './rendered-tree';
import { formatPath } from '../model/manifests/manifest';
import type { Finding } from '../model/rules';
import { runRules } from '../model/rules';
import type { Target } from '../model/target';

/** What is to be done about a rendered tree. */
export interface Verdict {
  /** All reasons against writing it, as one text; absent when there is none. */
  readonly refusal?: string;
  /** What is worth changing though it is legal. */
  readonly advice?: string;
}

/** Which findings count. */
export interface JudgementOptions {
  readonly ignore: readonly string[];
  readonly failOnWarnings: boolean;
}

/** Runs every check over everything that an app renders. */
export function judge(tree: RenderedTree, target: Target, options: JudgementOptions): Verdict {
  const findings = runRules(tree.manifests, target, { ignore: options.ignore });
  const isFatal = (finding: Finding) => finding.severity === 'error' || (options.failOnWarnings && finding.severity === 'warning');
  const reasons = [...tree.mistakes.map(({ path, message }) => `[${path}] ${message}`), ...findings.filter(isFatal).map(findingText)];
  const advice = findings.filter(finding => finding.severity === 'warning' && !isFatal(finding)).map(findingText);
  const where = `Kubernetes ${target.minor}`;
  return {
    ...(reasons.length > 0 ? { refusal: `Nothing was written: ${count(reasons.length, 'mistake')} for ${where}.\n  ${reasons.join('\n  ')}` } : {}),
    ...(advice.length > 0 ? { advice: `${count(advice.length, 'warning')} for ${where}:\n  ${advice.join('\n  ')}` } : {}),
  };
}

function findingText({ code, manifest, path, message, help }: Finding): string {
  const kind = manifest?.value.kind;
  const place = [kind, formatPath(path)].filter(Boolean).join(' ');
  return `[${manifest?.source.name ?? ''}] ${place}: ${message} ${help} (${code})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
