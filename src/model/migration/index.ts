export * from './bridge';
export * from './kueue';
export * from './plan';
export * from './routing';
