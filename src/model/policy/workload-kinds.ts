import type { Problem } from '../problem';

/** A kind of workload whose pods are made by a controller. */
export interface WorkloadKind {
  readonly group: string;
  readonly resource: string;
  /**
   * Where its pod templates are: fields with dots; `name[]` goes into each item of a list, `name{}` into each value of a map.
   */
  readonly templates: readonly string[];
  /** Where it has the fields of a pod's spec without a template around them; written in the same way. */
  readonly podSpecs?: readonly string[];
  /** Where it has `limits` and `requests` outside of a pod template. */
  readonly resources?: readonly string[];
}

/** Replica specs by role, as Kubeflow's training operator and MPI operator have them. */
function kubeflow(resource: string, field: string): WorkloadKind {
  return { group: 'kubeflow.org', resource, templates: [`spec.${field}{}.template`] };
}

function rayCluster(at: string): readonly string[] {
  return [`${at}.headGroupSpec.template`, `${at}.workerGroupSpecs[].template`];
}

/** Where a predictor of KServe has its container, by the framework of the model (`PredictorSpec`, kserve aaac4e29). */
const PREDICTORS = ['model', 'huggingface', 'lightgbm', 'onnx', 'paddle', 'pmml', 'pytorch', 'sklearn', 'tensorflow', 'triton', 'xgboost'];

/** Pods of large language models, and of the configurations that they are based on; `template` is a pod's spec there. */
const LLM_POD_SPECS = ['spec.template', 'spec.worker', 'spec.prefill.template', 'spec.prefill.worker', 'spec.router.scheduler.template', 'spec.router.scheduler.tokenizer.template'];

/** The workloads that the doors look at, beside pods; a kind that a cluster does not serve does no harm. */
export const WORKLOAD_KINDS: readonly WorkloadKind[] = [
  { group: '', resource: 'replicationcontrollers', templates: ['spec.template'] },
  { group: 'apps', resource: 'daemonsets', templates: ['spec.template'] },
  { group: 'apps', resource: 'deployments', templates: ['spec.template'] },
  { group: 'apps', resource: 'replicasets', templates: ['spec.template'] },
  { group: 'apps', resource: 'statefulsets', templates: ['spec.template'] },
  { group: 'batch', resource: 'cronjobs', templates: ['spec.jobTemplate.spec.template'] },
  { group: 'batch', resource: 'jobs', templates: ['spec.template'] },
  { group: 'batch.volcano.sh', resource: 'jobs', templates: ['spec.tasks[].template'] },
  { group: 'jobset.x-k8s.io', resource: 'jobsets', templates: ['spec.replicatedJobs[].template.spec.template'] },
  kubeflow('jaxjobs', 'jaxReplicaSpecs'),
  kubeflow('mpijobs', 'mpiReplicaSpecs'),
  { group: 'kubeflow.org', resource: 'notebooks', templates: ['spec.template'] },
  kubeflow('paddlejobs', 'paddleReplicaSpecs'),
  kubeflow('pytorchjobs', 'pytorchReplicaSpecs'),
  kubeflow('tfjobs', 'tfReplicaSpecs'),
  kubeflow('xgboostjobs', 'xgbReplicaSpecs'),
  {
    group: 'leaderworkerset.x-k8s.io',
    resource: 'leaderworkersets',
    templates: ['spec.leaderWorkerTemplate.leaderTemplate', 'spec.leaderWorkerTemplate.workerTemplate'],
  },
  { group: 'ray.io', resource: 'rayclusters', templates: rayCluster('spec') },
  { group: 'ray.io', resource: 'rayjobs', templates: ['spec.submitterPodTemplate', ...rayCluster('spec.rayClusterSpec')] },
  { group: 'ray.io', resource: 'rayservices', templates: rayCluster('spec.rayClusterConfig') },
  {
    group: 'serving.kserve.io',
    resource: 'inferenceservices',
    templates: [],
    podSpecs: ['spec.predictor', 'spec.predictor.workerSpec', 'spec.transformer', 'spec.explainer'],
    resources: [...PREDICTORS.map(name => `spec.predictor.${name}.resources`), 'spec.explainer.art.resources'],
  },
  { group: 'serving.kserve.io', resource: 'llminferenceserviceconfigs', templates: [], podSpecs: LLM_POD_SPECS },
  { group: 'serving.kserve.io', resource: 'llminferenceservices', templates: [], podSpecs: LLM_POD_SPECS },
  // Like a TrainingRuntime: services of the namespace get its devices by naming it.
  { group: 'serving.kserve.io', resource: 'servingruntimes', templates: [], podSpecs: ['spec', 'spec.workerSpec'] },
  { group: 'serving.knative.dev', resource: 'services', templates: ['spec.template'] },
  {
    group: 'trainer.kubeflow.org',
    resource: 'trainjobs',
    templates: ['spec.podTemplateOverrides[]'],
    resources: ['spec.trainer.resourcesPerNode'],
  },
  { group: 'trainer.kubeflow.org', resource: 'trainingruntimes', templates: ['spec.template.spec.replicatedJobs[].template.spec.template'] },
];

/** The place of the pod templates in most kinds. */
export const USUAL_TEMPLATE = 'spec.template';

/** Why a path to pod templates or pod specs cannot be followed; undefined if it can. */
export function templatePathProblem(path: string): Problem | undefined {
  if (/^[A-Za-z]\w*(\.[A-Za-z]\w*)*((\[\]|\{\})(\.[A-Za-z]\w*)*)?$/.test(path)) return undefined;
  return {
    rule: 'must be fields with dots, at most one of them with [] for the items of a list or {} for the values of a map',
    help: 'Write for example "spec.template", "spec.workers[].template" or "spec.replicaSpecs{}.template".',
  };
}
