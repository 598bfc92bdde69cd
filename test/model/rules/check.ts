import { parseAllDocuments } from 'yaml';
import type { Failure } from '../../../src/model/failures';
import { failureOf } from '../../../src/model/failures';
import type { Manifest } from '../../../src/model/manifests/manifest';
import { formatPath } from '../../../src/model/manifests/manifest';
import { runRules } from '../../../src/model/rules';
import type { Finding } from '../../../src/model/rules';
import { Target } from '../../../src/model/target';

/** The documents of a YAML text as manifests, empty ones left out. */
export function manifestsOf(yaml: string, name = 'test.yaml'): Manifest[] {
  return parseAllDocuments(yaml).flatMap((document, index) => {
    const value: unknown = document.toJS();
    return value === null ? [] : [{ value: value as Manifest['value'], source: { name, document: index } }];
  });
}

export function check(yaml: string, target: string | Target = '1.34'): Finding[] {
  return runRules(manifestsOf(yaml), typeof target === 'string' ? Target.of(target) : target);
}

/** Findings as `CODE severity path`, the path being that of the object in its own document. */
export function codesIn(yaml: string, target: string | Target = '1.34'): string[] {
  return check(yaml, target).map(({ code, severity, path }) => `${code} ${severity} ${formatPath(path)}`);
}

/** Findings of one code for an example of the catalogue. */
export function findingsFor({ code, kubernetes, featureGates }: Failure, yaml: string): Finding[] {
  return check(yaml, Target.of(kubernetes ?? '1.34', { featureGates })).filter((finding) => finding.code === code);
}

export { failureOf };
