/** A workload of each kind that the doors look at, around one pod spec. */

export interface Fields {
  readonly [field: string]: any;
}

/** One object of a kind, and where the server has it. */
export interface Workload {
  readonly title: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  /** `spec` of the object. */
  spec(podTemplate: Fields): Fields;
}

function kubeflow(kind: string, field: string, version = 'v1'): Workload {
  return {
    title: kind,
    group: 'kubeflow.org',
    version,
    resource: `${kind.toLowerCase()}s`,
    kind,
    spec: template => ({ [field]: { Master: { replicas: 1, template: { spec: { containers: [] } } }, Worker: { replicas: 4, template } } }),
  };
}

/** A kind of KServe around a pod spec; its pods have no template. */
function kserve(title: string, kind: string, version: string, spec: (podSpec: Fields) => Fields): Workload {
  return { title, group: 'serving.kserve.io', version, resource: `${kind.toLowerCase()}s`, kind, spec: template => spec(template.spec) };
}

const selector = { matchLabels: { app: 'train' } };
const idle = { spec: { containers: [{ name: 'idle', image: 'idle' }] } };

export const WORKLOADS: readonly Workload[] = [
  { title: 'Pod', group: '', version: 'v1', resource: 'pods', kind: 'Pod', spec: template => template.spec },
  { title: 'ReplicationController', group: '', version: 'v1', resource: 'replicationcontrollers', kind: 'ReplicationController', spec: template => ({ template }) },
  { title: 'DaemonSet', group: 'apps', version: 'v1', resource: 'daemonsets', kind: 'DaemonSet', spec: template => ({ selector, template }) },
  { title: 'Deployment', group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment', spec: template => ({ selector, template }) },
  { title: 'ReplicaSet', group: 'apps', version: 'v1', resource: 'replicasets', kind: 'ReplicaSet', spec: template => ({ selector, template }) },
  { title: 'StatefulSet', group: 'apps', version: 'v1', resource: 'statefulsets', kind: 'StatefulSet', spec: template => ({ selector, serviceName: 'train', template }) },
  {
    title: 'CronJob',
    group: 'batch',
    version: 'v1',
    resource: 'cronjobs',
    kind: 'CronJob',
    spec: template => ({ schedule: '0 3 * * *', suspend: true, jobTemplate: { spec: { template } } }),
  },
  { title: 'Job', group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job', spec: template => ({ suspend: true, template }) },
  {
    title: 'Volcano Job',
    group: 'batch.volcano.sh',
    version: 'v1alpha1',
    resource: 'jobs',
    kind: 'Job',
    spec: template => ({ tasks: [{ name: 'master' }, { name: 'worker', template }] }),
  },
  {
    title: 'JobSet',
    group: 'jobset.x-k8s.io',
    version: 'v1alpha2',
    resource: 'jobsets',
    kind: 'JobSet',
    spec: template => ({ replicatedJobs: [{ name: 'driver', template: { spec: { template: idle } } }, { name: 'workers', template: { spec: { template } } }] }),
  },
  kubeflow('JAXJob', 'jaxReplicaSpecs'),
  kubeflow('MPIJob', 'mpiReplicaSpecs', 'v2beta1'),
  kubeflow('PaddleJob', 'paddleReplicaSpecs'),
  kubeflow('PyTorchJob', 'pytorchReplicaSpecs'),
  kubeflow('TFJob', 'tfReplicaSpecs'),
  kubeflow('XGBoostJob', 'xgbReplicaSpecs'),
  { title: 'Notebook', group: 'kubeflow.org', version: 'v1', resource: 'notebooks', kind: 'Notebook', spec: template => ({ template }) },
  {
    title: 'LeaderWorkerSet (leader)',
    group: 'leaderworkerset.x-k8s.io',
    version: 'v1',
    resource: 'leaderworkersets',
    kind: 'LeaderWorkerSet',
    spec: template => ({ leaderWorkerTemplate: { leaderTemplate: template, workerTemplate: idle } }),
  },
  {
    title: 'LeaderWorkerSet (workers)',
    group: 'leaderworkerset.x-k8s.io',
    version: 'v1',
    resource: 'leaderworkersets',
    kind: 'LeaderWorkerSet',
    spec: template => ({ leaderWorkerTemplate: { workerTemplate: template } }),
  },
  {
    title: 'RayCluster (head)',
    group: 'ray.io',
    version: 'v1',
    resource: 'rayclusters',
    kind: 'RayCluster',
    spec: template => ({ headGroupSpec: { template } }),
  },
  {
    title: 'RayCluster (workers)',
    group: 'ray.io',
    version: 'v1',
    resource: 'rayclusters',
    kind: 'RayCluster',
    spec: template => ({ headGroupSpec: { template: idle }, workerGroupSpecs: [{ groupName: 'cpu', template: idle }, { groupName: 'gpu', template }] }),
  },
  {
    title: 'RayJob',
    group: 'ray.io',
    version: 'v1',
    resource: 'rayjobs',
    kind: 'RayJob',
    spec: template => ({ rayClusterSpec: { headGroupSpec: { template: idle }, workerGroupSpecs: [{ groupName: 'gpu', template }] } }),
  },
  { title: 'RayJob (submitter)', group: 'ray.io', version: 'v1', resource: 'rayjobs', kind: 'RayJob', spec: template => ({ submitterPodTemplate: template }) },
  {
    title: 'RayService',
    group: 'ray.io',
    version: 'v1',
    resource: 'rayservices',
    kind: 'RayService',
    spec: template => ({ rayClusterConfig: { headGroupSpec: { template: idle }, workerGroupSpecs: [{ groupName: 'gpu', template }] } }),
  },
  kserve('InferenceService (predictor)', 'InferenceService', 'v1beta1', podSpec => ({ predictor: { minReplicas: 1, ...podSpec } })),
  kserve('InferenceService (workers)', 'InferenceService', 'v1beta1', podSpec => ({ predictor: { model: { modelFormat: { name: 'huggingface' } }, workerSpec: podSpec } })),
  kserve('InferenceService (transformer)', 'InferenceService', 'v1beta1', podSpec => ({ predictor: { ...idle.spec }, transformer: podSpec })),
  kserve('InferenceService (explainer)', 'InferenceService', 'v1beta1', podSpec => ({ predictor: { ...idle.spec }, explainer: podSpec })),
  kserve('LLMInferenceService', 'LLMInferenceService', 'v1alpha1', podSpec => ({ template: podSpec })),
  kserve('LLMInferenceService (workers)', 'LLMInferenceService', 'v1alpha1', podSpec => ({ template: idle.spec, worker: podSpec })),
  kserve('LLMInferenceService (prefill)', 'LLMInferenceService', 'v1alpha1', podSpec => ({ template: idle.spec, prefill: { template: podSpec } })),
  kserve('LLMInferenceService (prefill workers)', 'LLMInferenceService', 'v1alpha1', podSpec => ({ prefill: { template: idle.spec, worker: podSpec } })),
  kserve('LLMInferenceService (scheduler)', 'LLMInferenceService', 'v1alpha1', podSpec => ({ router: { scheduler: { template: podSpec } } })),
  kserve('LLMInferenceService (tokenizer)', 'LLMInferenceService', 'v1alpha1', podSpec => ({ router: { scheduler: { tokenizer: { template: podSpec } } } })),
  kserve('LLMInferenceServiceConfig', 'LLMInferenceServiceConfig', 'v1alpha1', podSpec => ({ template: podSpec })),
  kserve('ServingRuntime', 'ServingRuntime', 'v1alpha1', podSpec => ({ supportedModelFormats: [{ name: 'triton' }], ...podSpec })),
  kserve('ServingRuntime (workers)', 'ServingRuntime', 'v1alpha1', podSpec => ({ ...idle.spec, workerSpec: podSpec })),
  { title: 'Knative Service', group: 'serving.knative.dev', version: 'v1', resource: 'services', kind: 'Service', spec: template => ({ template }) },
  {
    title: 'TrainingRuntime',
    group: 'trainer.kubeflow.org',
    version: 'v1alpha1',
    resource: 'trainingruntimes',
    kind: 'TrainingRuntime',
    spec: template => ({ template: { spec: { replicatedJobs: [{ name: 'node', template: { spec: { template } } }] } } }),
  },
];

/** An object of a workload around a pod spec. */
export function workloadObject({ group, version, kind, spec }: Workload, name: string, podTemplate: Fields, labels: Fields = {}): Fields {
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind,
    metadata: { name, labels },
    spec: spec({ ...podTemplate, metadata: { ...podTemplate.metadata, labels: { app: 'train', ...podTemplate.metadata?.labels } } }),
  };
}
