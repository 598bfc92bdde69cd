import { Construct } from 'constructs';
import { draObject } from '../dra/dra-object';
import { NO_PRUNE, syncWave } from '../dra/gitops-annotations';
import { API_GROUP } from '../model/api';
import { dnsLabelProblem, dnsSubdomainProblem, labelKeyProblem, labelValueProblem } from '../model/names';
import {
  accessPolicy, accessWorkloadsPolicy, adminAccessPolicy, claimOriginPolicy, consumersPolicy, doorPolicy, fencePolicy, holdFencePolicy, holdPolicy,
  templatePathProblem, type AdmissionPolicy, type PolicyScope,
} from '../model/policy';
import type { Problem } from '../model/problem';

/** One concern of the platform's admission policies. */
export enum DevicePolicy {
  /** New work on a class or legacy resource comes in only as DeviceRouting says. */
  DOOR = 'Door',
  /** New work and allocations stop while a DeviceHold says so. */
  HOLD = 'Hold',
  /** Nothing new is allocated on nodes that change owner. */
  FENCE = 'Fence',
  /** Tenants use the classes, templates and numbers of devices of their DeviceAccess. */
  ACCESS = 'Access',
  /** A claim is shared by as many pods as the DeviceAccess says. */
  CONSUMERS = 'Consumers',
  /** Nobody makes claims that pretend to be made by the scheduler or the claim controller. */
  CLAIM_ORIGIN = 'ClaimOrigin',
  /** Admin access to devices is given and asked for by the platform only. */
  ADMIN_ACCESS = 'AdminAccess',
}

/** A kind of workload that the doors do not know by themselves. */
export interface WorkloadPods {
  /** API group, e.g. `example.com`. */
  readonly apiGroup: string;
  /** Plural of the kind in lower case, e.g. `trainings`. */
  readonly resource: string;
  /**
   * Where its pod templates are, e.g. `spec.template`, `spec.workers[].template` for each item of a list,
   * `spec.replicaSpecs{}.template` for each value of a map.
   * @default - none; then there must be `podSpecs`
   */
  readonly podTemplates?: string[];
  /**
   * Where it has the fields of a pod's spec without a template around them, e.g. `spec.predictor`; paths as in `podTemplates`.
   * @default - none; then there must be `podTemplates`
   */
  readonly podSpecs?: string[];
}

/** Properties of DevicePolicies. */
export interface DevicePoliciesProps {
  /**
   * Which policies are emitted.
   * @default - all; ACCESS and CONSUMERS only with `tenantNamespaceLabels`
   */
  readonly policies?: DevicePolicy[];
  /**
   * Labels of the namespaces of tenants; without a DeviceAccess such a namespace can have no claims.
   * @default - no namespace needs a DeviceAccess
   */
  readonly tenantNamespaceLabels?: { readonly [key: string]: string };
  /**
   * Namespaces that no policy touches, e.g. those of drivers and of monitoring; `kube-system` always is one.
   * @default - kube-system only
   */
  readonly systemNamespaces?: string[];
  /**
   * Groups that may grant and ask for admin access, such as `system:serviceaccounts:argocd`.
   * @default ['system:masters']
   */
  readonly platformGroups?: string[];
  /**
   * Users whose pods and claims for an admitted owner pass, e.g. `system:serviceaccount:kuberay:kuberay-operator`; Kubernetes' own
   * controllers and all accounts of kube-system always do. A scheduler of another namespace must be named: else its claims for
   * extended resources are refused.
   * @default - every service account of another namespace than that of the object
   */
  readonly controllerAccounts?: string[];
  /**
   * Further kinds of workload that are looked at when they come; the pods of a kind that is not looked at pass with their controller.
   * @default - Kubernetes' own, JobSet, LeaderWorkerSet, Kubeflow, Ray, Volcano, Knative, KServe
   */
  readonly workloads?: WorkloadPods[];
}

/**
 * Admission policies of a migration with their bindings: doors, holds, fences, access, origin of claims.
 *
 * Once a cluster, named `cdk8s-dra-door` and so on. They look at new owners only, never at pods that a controller makes for one, and let
 * every pod pass that asks for no device, also where a CRD or parameter is missing. With HOLD comes ClusterRole `cdk8s-dra-hold` for the
 * people who may hold.
 */
export class DevicePolicies extends Construct {
  public constructor(scope: Construct, id: string, props: DevicePoliciesProps = {}) {
    super(scope, id);
    const usual = Object.values(DevicePolicy).filter(policy => !NEEDS_TENANTS.has(policy) || props.tenantNamespaceLabels !== undefined);
    const chosen = new Set(props.policies ?? usual);
    this.refuse(chosen, props);
    const workloads = props.workloads?.map(({ apiGroup: group, resource, podTemplates: templates = [], podSpecs = [] }) => {
      return { group, resource, templates, podSpecs };
    });
    const policies = [...chosen].flatMap(policy => MADE_BY[policy].map(make => make({ ...props, workloads })));
    for (const policy of policies.sort((a, b) => (a.name < b.name ? -1 : 1))) this.addPolicy(policy);
    if (chosen.has(DevicePolicy.HOLD)) this.addHoldRole();
  }

  private refuse(chosen: ReadonlySet<DevicePolicy>, props: DevicePoliciesProps): void {
    const labels = Object.entries(props.tenantNamespaceLabels ?? {});
    const needing = [...chosen].filter(policy => NEEDS_TENANTS.has(policy)).sort();
    if (needing.length > 0 && labels.length === 0) {
      this.fail(`Policies ${needing.join(' and ')} are about the namespaces of tenants, and tenantNamespaceLabels names none: they would refuse `
        + "claims in every namespace without a DeviceAccess. Name the label that tenants' namespaces carry, or leave these policies out.");
    }
    for (const [key, value] of labels) {
      this.failFor(`tenantNamespaceLabels: the label "${key}"`, labelKeyProblem(key));
      this.failFor(`tenantNamespaceLabels: the value "${value}"`, labelValueProblem(value));
    }
    for (const namespace of props.systemNamespaces ?? []) this.failFor(`systemNamespaces: "${namespace}"`, dnsLabelProblem(namespace));
    if (chosen.size === 0) this.fail('policies must name at least one, got none. Leave it out for all of them.');
    if (props.platformGroups?.length === 0) {
      this.fail("platformGroups must name at least one, got none: nobody could grant admin access. Leave it out for 'system:masters'.");
    }
    for (const { apiGroup, resource, podTemplates = [], podSpecs = [] } of props.workloads ?? []) {
      const what = `workloads: "${resource}"`;
      this.failFor(`workloads: the group "${apiGroup}"`, dnsSubdomainProblem(apiGroup));
      this.failFor(`${what}, the plural of the kind,`, dnsLabelProblem(resource));
      const paths = [...podTemplates, ...podSpecs];
      if (paths.length === 0) this.fail(`${what} must say where its pod templates or pod specs are, got no path. Write for example podTemplates: ["spec.template"].`);
      for (const path of paths) this.failFor(`${what}: the path "${path}"`, templatePathProblem(path));
    }
    for (const account of props.controllerAccounts ?? []) {
      const [namespace, name] = account.split('/');
      if (name !== undefined && !account.includes(':')) {
        this.fail(`controllerAccounts: "${account}" looks like namespace/name; a user name is meant. Write "system:serviceaccount:${namespace}:${name}".`);
      }
    }
  }

  private failFor(what: string, problem: Problem | undefined): void {
    if (problem) this.fail(`${what} ${problem.rule}. ${problem.help}`);
  }

  private fail(words: string): never {
    throw new Error(`[${this.node.path}] ${words}`);
  }

  private addPolicy({ name, spec, binding }: AdmissionPolicy): void {
    this.add(name, ADMISSION, 'ValidatingAdmissionPolicy', name, { spec }, syncWave('policies'));
    this.add(`${name}-binding`, ADMISSION, 'ValidatingAdmissionPolicyBinding', name, { spec: binding }, syncWave('bindings'));
  }

  /** What `hold` and `release` do, and what they read to say whom a hold meets. */
  private addHoldRole(): void {
    const read = ['get', 'list', 'watch'];
    const rules = [
      { apiGroups: [API_GROUP], resources: ['deviceholds'], verbs: ['create', 'delete', ...read] },
      { apiGroups: [API_GROUP], resources: ['devicemigrations', 'devicenodereports', 'deviceroutings'], verbs: read },
      // Whether the policies are there decides whether a hold holds.
      { apiGroups: ['admissionregistration.k8s.io'], resources: ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'], verbs: read },
      { apiGroups: ['resource.k8s.io'], resources: ['deviceclasses', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'], verbs: read },
      { apiGroups: [''], resources: ['nodes', 'pods'], verbs: read },
    ];
    this.add('cdk8s-dra-hold-role', 'rbac.authorization.k8s.io/v1', 'ClusterRole', 'cdk8s-dra-hold', { rules }, {});
  }

  private add(id: string, apiVersion: string, kind: string, name: string, body: Fields, annotations: { readonly [key: string]: string }): void {
    draObject(new Construct(this, id), {
      apiVersion,
      kind,
      clusterScoped: true,
      component: 'policies',
      metadata: { name, annotations: { ...NO_PRUNE, ...annotations } },
      body,
    });
  }
}

interface Fields {
  readonly [field: string]: unknown;
}

const ADMISSION = 'admissionregistration.k8s.io/v1';
const NEEDS_TENANTS: ReadonlySet<DevicePolicy> = new Set([DevicePolicy.ACCESS, DevicePolicy.CONSUMERS]);

const MADE_BY: { readonly [policy in DevicePolicy]: ReadonlyArray<(scope: PolicyScope) => AdmissionPolicy> } = {
  [DevicePolicy.DOOR]: [doorPolicy],
  [DevicePolicy.HOLD]: [holdPolicy, holdFencePolicy],
  [DevicePolicy.FENCE]: [fencePolicy],
  [DevicePolicy.ACCESS]: [accessPolicy, accessWorkloadsPolicy],
  [DevicePolicy.CONSUMERS]: [consumersPolicy],
  [DevicePolicy.CLAIM_ORIGIN]: [claimOriginPolicy],
  [DevicePolicy.ADMIN_ACCESS]: [adminAccessPolicy],
};
