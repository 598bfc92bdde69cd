export * from './moves';
export * from './node-count';
export * from './optimize-for';
export * from './phase';
export * from './phase-table';
export * from './reality';
