export * from './phase';
