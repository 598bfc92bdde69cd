export { explainPod } from './explain-pod';
export { explainNode } from './explain-node';
export type { DeviceOnNode, DeviceStateName, NodeExplanation, RequestOnNode } from './explain-node';
export type { Cause, Help, HelpKind, KnownBug, NamedObject, ObjectRole, PodExplanation } from './explanation';
export { TRIED_HELP } from './explanation';
