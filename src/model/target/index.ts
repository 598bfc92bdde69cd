export * from './api-versions';
export * from './gate-choice';
export * from './gate-state';
export * from './gated-fields';
export * from './gates';
export * from './support';
export * from './target';
export * from './versions';
