export { FEATURES, ScenarioSource } from './scenario';
export { devicesText, poolsIn, predict } from './prediction';
