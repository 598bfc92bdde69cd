export * from './access';
export * from './admin-access';
export * from './claim-origin';
export * from './consumers';
export * from './door';
export * from './fence';
export * from './hold';
export * from './node-bound-slices';
export type { AdmissionPolicy, PolicyScope } from './policy-scope';
