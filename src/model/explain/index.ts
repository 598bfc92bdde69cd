export { explainPod } from './explain-pod';
export type { Cause, Help, HelpKind, NamedObject, ObjectRole, PodExplanation } from './explanation';
export { TRIED_HELP } from './explanation';
