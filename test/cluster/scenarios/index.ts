export { FEATURES, ScenarioSource } from './scenario';
export { devicesText, predict } from './prediction';
