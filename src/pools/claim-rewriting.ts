import type { ApiObjectMetadata } from 'cdk8s';
import { Construct } from 'constructs';
import type { DeviceMigration } from './device-migration';
import type { IDeviceClass } from '../dra/device-class';
import { draObject } from '../dra/dra-object';
import { NO_PRUNE, syncWave } from '../dra/gitops-annotations';
import { canBeServed } from '../model/migration';
import { dnsLabelProblem, dnsSubdomainProblem } from '../model/names';
import { claimRewritingPolicy, MAX_REWRITING_NAME } from '../model/policy';
import { describeProblem } from '../model/problem';
import { KubernetesTarget } from '../target/kubernetes-target';

/** The claim that takes the place of a number of units. */
export interface RewrittenUnits {
  /** Units of the extended resource that one container asks for. */
  readonly units: number;
  /** Name of a ResourceClaimTemplate for as many devices; each namespace that wants its workloads rewritten has one of this name. */
  readonly claimTemplate: string;
}

/** Properties of ClaimRewriting. */
export interface ClaimRewritingProps {
  /**
   * Metadata of the policy; its name is a DNS label of at most 60 characters, since claims in pods are named by it.
   * @default - named by the construct's id
   */
  readonly metadata?: ApiObjectMetadata;
  /** Migrations of the pools whose extended resource is rewritten. */
  readonly pools: DeviceMigration[];
  /** Claim templates by units; a pod that asks for another number stays as it is. */
  readonly claims: RewrittenUnits[];
  /**
   * Extended resource of the device plugin.
   * @default - the only one that the migrations name
   */
  readonly resource?: string;
  /**
   * Class that the templates ask for; its door decides who is rewritten.
   * @default - the only one that the migrations name
   */
  readonly deviceClass?: IDeviceClass;
  /**
   * Whether workloads are rewritten also where a class can serve the resource, e.g. to take part in a canary.
   * @default false
   */
  readonly claimsWhenOpen?: boolean;
  /**
   * Namespaces that are left alone whatever their labels say; `kube-system` always is.
   * @default - kube-system only
   */
  readonly systemNamespaces?: string[];
}

/**
 * Rewrites Jobs, CronJobs, Deployments, StatefulSets and bare pods that ask for an old resource to claims when they are made, as soon as the door of the class lets
 * them in (a MutatingAdmissionPolicy, Kubernetes 1.36 and later).
 *
 * Only those with the label `cdk8s-dra.dev/rewrite-to-claims: "true"`, on the workload or its namespace; `"false"` on a workload wins. What is not rewritten
 * asks in the old way: pods of workloads that were there before, pods whose numbers have no template, and everything while the policy cannot be evaluated.
 * A workload that was rewritten has the annotation `cdk8s-dra.dev/rewritten-from`. The doors, holds and DeviceAccess judge the claim that comes out.
 */
export class ClaimRewriting extends Construct {
  /** Name of the policy. */
  public readonly policyName: string;

  public constructor(scope: Construct, id: string, props: ClaimRewritingProps) {
    super(scope, id);
    const { _target: target } = KubernetesTarget.find(this);
    if (!target.atLeast('1.36')) {
      this.fail(`MutatingAdmissionPolicy is served by default from Kubernetes 1.36 on, and the target is ${target.minor}. Use RoutedDevices, which renders a workload by `
        + 'the phase of its pools, or target 1.36.');
    }
    if (props.pools.length === 0) this.fail("'pools' must name a migration, got none. Name the pools whose resource is rewritten.");
    const resources = props.pools.flatMap(({ _spec }) => _spec.legacy?.resources ?? []).map(({ name }) => name);
    const resource = this.oneOf('resource', 'extended resource', resources, props.resource);
    const deviceClassName = this.oneOf('deviceClass', 'class', props.pools.flatMap(({ _spec }) => _spec.deviceClassNames), props.deviceClass?.deviceClassName);
    const migrations = props.pools.map(({ migrationName: name, _spec: spec }) => ({ name, spec }));
    if (props.claimsWhenOpen !== true && canBeServed(resource, migrations, target)) {
      this.fail(`Nothing has to be rewritten: from Expand on class ${deviceClassName} serves ${resource} itself. Leave this out, or set 'claimsWhenOpen' to true to rewrite all the same.`);
    }
    this.refuseClaims(props.claims);
    for (const namespace of props.systemNamespaces ?? []) {
      const wrong = dnsLabelProblem(namespace);
      if (wrong) this.fail(describeProblem('systemNamespaces', namespace, wrong));
    }
    this.policyName = props.metadata?.name ?? id;
    const problem = dnsLabelProblem(this.policyName);
    if (problem) this.fail(describeProblem('name', this.policyName, problem));
    if (this.policyName.length > MAX_REWRITING_NAME) {
      this.fail(`'name' must have at most ${MAX_REWRITING_NAME} characters, since claims in pods are named by it, got ${this.policyName.length}. Shorten it.`);
    }
    const templates = props.claims.map(({ units, claimTemplate }) => ({ units, template: claimTemplate }));
    const { systemNamespaces } = props;
    const { name, spec, bindings } = claimRewritingPolicy(this.policyName, { resource, deviceClassName, templates }, { systemNamespaces });
    this.add('policy', 'MutatingAdmissionPolicy', { ...props.metadata, name }, spec, syncWave('policies'));
    for (const binding of bindings) this.add(binding.name, 'MutatingAdmissionPolicyBinding', { name: binding.name }, binding.spec, syncWave('bindings'));
  }

  private refuseClaims(claims: readonly RewrittenUnits[]): void {
    if (claims.length === 0) this.fail("'claims' must name a template, got none. Name one for each number of units that workloads ask for.");
    for (const { units, claimTemplate } of claims) {
      if (!Number.isInteger(units) || units < 1) this.fail(`'units' must be a whole number from 1, got ${units}. Write how many units a container asks for.`);
      const problem = dnsSubdomainProblem(claimTemplate);
      if (problem) this.fail(describeProblem('claimTemplate', claimTemplate, problem));
    }
    const twice = claims.map(({ units }) => units).find((units, index, all) => all.indexOf(units) !== index);
    if (twice !== undefined) this.fail(`'claims' must name one template for ${twice} units, got several. Keep one of them.`);
  }

  private oneOf(property: string, what: string, names: readonly string[], given: string | undefined): string {
    const known = [...new Set(names)].sort();
    if (given !== undefined && known.includes(given)) return given;
    if (given === undefined && known.length === 1) return known[0];
    const list = known.length === 0 ? 'they name none: set `legacy` of the migrations' : `they name ${known.join(', ')}`;
    return this.fail(`'${property}' must be one ${what} of the migrations, got ${given === undefined ? 'none' : `"${given}"`}; ${list}.`);
  }

  private fail(words: string): never {
    throw new Error(`[${this.node.path}] ${words}`);
  }

  private add(id: string, kind: string, metadata: ApiObjectMetadata, spec: unknown, annotations: { readonly [annotation: string]: string }): void {
    draObject(new Construct(this, id), {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind,
      clusterScoped: true,
      component: 'policies',
      metadata: { ...metadata, annotations: { ...NO_PRUNE, ...annotations, ...metadata.annotations } },
      body: { spec },
    });
  }
}
