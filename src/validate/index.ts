import { formatPath, type Manifest } from '../model/manifests/manifest';
import { runRules } from '../model/rules';
import { Target } from '../model/target';

/** What a plugin sees of `cdk8s synth --validate`; the CLI's own types would be a dependency of everybody. */
interface ValidationContext {
  readonly manifests: readonly string[];
  readonly report: {
    addViolation(violation: { ruleName: string; recommendation: string; fix: string; violatingResources: ViolatingResource[] }): void;
    submit(status: 'success' | 'failure', metadata: { [key: string]: string }): void;
  };
  parseManifest(path: string): unknown[];
}

interface ViolatingResource {
  readonly resourceName: string;
  readonly locations: string[];
  readonly manifestPath: string;
}

/** Runs the checks of `kubectl-dra check` on what a plain `App` synthesizes; a PlatformApp runs them by itself. */
export class DraValidation {
  /** @param properties `kubernetes`: the cluster's version, 1.34 if absent; `featureGates`: `A=true,kubelet:B=false` */
  public constructor(private readonly properties: { readonly kubernetes?: string; readonly featureGates?: string } = {}) {}

  public async validate(context: ValidationContext): Promise<void> {
    const target = Target.parse(this.properties.kubernetes ?? '1.34', this.properties.featureGates);
    const manifests = context.manifests.flatMap(name =>
      context.parseManifest(name).filter(isObject).map((value): Manifest => ({ value, source: { name } })));
    const errors = runRules(manifests, target).filter(finding => finding.severity === 'error');
    for (const { code, message, help, manifest, path } of errors) {
      const resourceName = (manifest?.value.metadata as { name?: string } | undefined)?.name ?? '';
      context.report.addViolation({
        ruleName: code,
        recommendation: message,
        fix: help,
        violatingResources: [{ resourceName, locations: [formatPath(path)], manifestPath: manifest?.source.name ?? '' }],
      });
    }
    context.report.submit(errors.length === 0 ? 'success' : 'failure', { kubernetes: target.minor });
  }
}

function isObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
