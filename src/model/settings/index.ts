export * from './agent-settings';
export * from './duration';
export * from './fpga-settings';
export * from './gpu-settings';
export * from './nic-settings';
export { absolutePath, attributeTextProblem } from './settings-fields';
export * from './simulated-settings';
