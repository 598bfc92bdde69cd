export * from './device-node-report';
