export * from './bridge';
export * from './plan';
export * from './routing';
