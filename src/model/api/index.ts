export { API_GROUP, API_VERSION } from './crd-schema';
export { CRDS, ownCrd } from './crds';
export * from './device-access';
export * from './device-hold';
export * from './device-migration';
export * from './device-node-report';
export * from './device-routing';
export * from './device-tenant';
