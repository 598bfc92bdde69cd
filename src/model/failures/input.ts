import type { Failure } from './failure';

const YAML = 'YAML 1.2.2, https://yaml.org/spec/1.2.2/';
const OBJECTS = 'Kubernetes API conventions, objects';

/** Unreadable input, and objects that are none. */
export const INPUT_FAILURES: readonly Failure[] = [
  {
    code: 'DRA100',
    name: 'unreadable-input',
    title: 'The input cannot be read',
    severity: 'error',
    why: 'A file is missing, is no text in UTF-8, or may not be read. Nothing of it was checked.',
    fix: 'Correct the path or the permissions, and save the file as UTF-8.',
    source: 'the readers of this project',
  },
  {
    code: 'DRA101',
    name: 'invalid-syntax',
    title: 'The document cannot be parsed',
    severity: 'error',
    why: 'kubectl stops at the first document that it cannot parse; later documents of the file are never applied. A document with more nesting or more alias expansion than any manifest needs is not parsed here either.',
    fix: 'Correct the line that is named. In YAML that is often the indentation, a tab, or a quote that is missing.',
    wrong: `apiVersion: v1
kind: Namespace
metadata:
  name: "team-a
`,
    right: `apiVersion: v1
kind: Namespace
metadata:
  name: "team-a"
`,
    source: YAML,
  },
  {
    code: 'DRA102',
    name: 'duplicate-key',
    title: 'A field is written twice',
    severity: 'error',
    why: 'Parsers differ: kubectl keeps the last value without a word, others refuse the file. What stands first never counts.',
    fix: 'Keep one of the two, or merge them.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec: {}
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`,
    source: `${YAML}, section 3.2.1.1`,
  },
  {
    code: 'DRA103',
    name: 'no-object',
    title: 'The document is no Kubernetes object',
    severity: 'error',
    why: 'Without apiVersion and kind nobody knows where to send it: kubectl refuses it.',
    fix: 'Add apiVersion and kind, or keep such files out of the folder of manifests.',
    wrong: `metadata:
  name: gpu
spec:
  selectors: []
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors: []
`,
    source: OBJECTS,
  },
  {
    code: 'DRA104',
    name: 'broken-list',
    title: 'A List holds something that is no object',
    severity: 'error',
    why: 'The items of a List are applied one by one; an entry that is no object stops kubectl.',
    fix: 'Write every object as an entry of items. A dash too many or too few is the usual reason.',
    wrong: `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Namespace
  metadata:
    name: team-a
-
`,
    right: `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Namespace
  metadata:
    name: team-a
`,
    source: OBJECTS,
  },
  {
    code: 'DRA105',
    name: 'duplicate-object',
    title: 'Two manifests are the same object',
    severity: 'error',
    why: 'Both are applied in some order and the last one wins. GitOps engines go back and forth between the two, or refuse the folder.',
    fix: 'Remove one, or give it another name or namespace.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "other.example.com"
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: other-gpu
spec:
  selectors:
  - cel:
      expression: device.driver == "other.example.com"
`,
    source: 'cdk8s-team/cdk8s#3270',
  },
  {
    code: 'DRA106',
    name: 'no-name',
    title: 'An object has no name',
    severity: 'error',
    why: 'The API server refuses an object with neither name nor generateName; kubectl apply needs a name.',
    fix: 'Set metadata.name, in quotes if it looks like a number.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  namespace: team-a
spec: {}
`,
    right: `apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  namespace: team-a
  name: gpu
spec: {}
`,
    source: 'k8s.io/apimachinery pkg/api/validation/objectmeta.go',
  },
  {
    code: 'DRA107',
    name: 'invalid-object-name',
    title: 'The name of an object has a wrong form',
    severity: 'error',
    why: 'Names of pods, quotas, claims, templates, classes, slices and taint rules are DNS subdomains, namespaces DNS labels: the API server refuses others.',
    fix: 'Use lower-case letters, digits and -, at most 63 characters; . and 253 characters too where it is no namespace.',
    wrong: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: GPU_large
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`,
    right: `apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu-large
spec:
  selectors:
  - cel:
      expression: device.driver == "gpu.acme.example"
`,
    source: 'kubernetes/kubernetes pkg/apis/resource/validation/validation.go',
  },
  {
    code: 'DRA108',
    name: 'check-failed',
    title: 'A check stopped early',
    severity: 'error',
    why: 'A rule of this tool came upon input that it was not made for. Other rules went on; what this one would have found is missing.',
    fix: 'Report it with the manifests. Leave the codes out to go on without this check.',
    source: 'the rules of this project',
  },
  {
    code: 'DRA109',
    name: 'duplicate-entry',
    title: 'Two entries of a list have one name',
    severity: 'error',
    why: 'Lists of requests, devices, counter sets and pod claims are looked up by name: the API server refuses the object.',
    fix: 'Give each entry a name of its own, or remove one.',
    wrong: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: large
  - name: gpu
    resourceClaimTemplateName: small
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims:
      - name: gpu
`,
    right: `apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
  resourceClaims:
  - name: large
    resourceClaimTemplateName: large
  - name: small
    resourceClaimTemplateName: small
  containers:
  - name: train
    image: registry.example/train
    resources:
      claims:
      - name: large
      - name: small
`,
    source: 'kubernetes/kubernetes pkg/apis/core/validation/validation.go, pkg/apis/resource/validation/validation.go',
  },
];
