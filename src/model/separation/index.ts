export * from './adoption';
export * from './daemon-side';
export * from './gitops-health';
export * from './node-switches';
export * from './node-templates';
export * from './selector-text';
export * from './separated-pod';
export * from './separation-values';
