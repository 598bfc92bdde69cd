export * from './drivers';
export * from './failures';
export * from './manifests/manifest';
export * from './manifests/manifest-set';
export * from './near-miss';
export * from './problem';
export * from './rules';
export * from './target';
