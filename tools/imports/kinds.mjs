/** Which kinds keep their schema, as `apiVersion/kind`; all others are known by plural and scope only. */
const KEPT = [
  /^resource\.k8s\.io\/[^/]+\/[^/]+$/,
  /^v1\/(ConfigMap|Event|LimitRange|Namespace|Node|Pod|PodTemplate|ReplicationController|ResourceQuota|Secret|Service|ServiceAccount)$/,
  /^apps\/v1\/(DaemonSet|Deployment|ReplicaSet|StatefulSet)$/,
  /^batch\/v1\/(CronJob|Job)$/,
  /^rbac\.authorization\.k8s\.io\/v1\/[^/]+$/,
  /^admissionregistration\.k8s\.io\/[^/]+\/(Mutating|Validating)AdmissionPolicy(Binding)?$/,
  /^apiextensions\.k8s\.io\/v1\/CustomResourceDefinition$/,
  /^coordination\.k8s\.io\/v1\/Lease$/,
  /^networking\.k8s\.io\/v1\/NetworkPolicy$/,
  /^policy\/v1\/PodDisruptionBudget$/,
  /^scheduling\.k8s\.io\/[^/]+\/(PodGroup|PriorityClass|Workload)$/,
];

/** Kept kinds that are read, never written, so they get no TypeScript interface. */
const ONLY_READ = [
  /^v1\/(Event|LimitRange|Node|ReplicationController|Secret)$/,
  /^resource\.k8s\.io\/v1beta[12]\/(?!DeviceTaintRule$)[^/]+$/,
  /^scheduling\.k8s\.io\/[^/]+\/(PodGroup|Workload)$/,
];

/** @param {string} apiVersionAndKind @returns {boolean} whether the kind's schema is kept */
export function isKept(apiVersionAndKind) {
  return KEPT.some((pattern) => pattern.test(apiVersionAndKind));
}

/** @param {string} apiVersionAndKind @returns {boolean} whether the kind gets a TypeScript interface */
export function isEmitted(apiVersionAndKind) {
  return isKept(apiVersionAndKind) && !ONLY_READ.some((pattern) => pattern.test(apiVersionAndKind));
}
