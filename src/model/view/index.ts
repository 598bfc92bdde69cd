export * from './cluster-view';
export * from './cluster-version';
export * from './collection';
export * from './node-fit';
export * from './pod-claims';
export * from './pod-resources';
export * from './tainted-slices';
export * from './view-object';
