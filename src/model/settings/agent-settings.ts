import { duration } from './duration';
import { FPGA_SETTINGS } from './fpga-settings';
import { GPU_SETTINGS } from './gpu-settings';
import { NIC_SETTINGS } from './nic-settings';
import { absolutePath } from './settings-fields';
import { SIMULATED_SETTINGS } from './simulated-settings';
import { driverNameProblem } from '../names';
import { nearest } from '../near-miss';
import { familyProblem } from '../node-contract';
import { show } from '../problem';
import {
  checked, decode, json, list, object, oneOf, optional, text, flag, whole, type Decoded, type FieldProblem, type Form, type ReadBy,
} from '../strict-reader';

export const AGENT_CONFIGURATION_VERSION = 'cdk8s-dra.dev/v1alpha1';
export const AGENT_CONFIGURATION_KIND = 'NodeAgentConfiguration';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = typeof LOG_LEVELS[number];

/** The `devices` section by its backend. */
export const BACKEND_SETTINGS = { gpu: GPU_SETTINGS, fpga: FPGA_SETTINGS, nic: NIC_SETTINGS, simulated: SIMULATED_SETTINGS };

export type BackendName = keyof typeof BACKEND_SETTINGS;

const times = object({
  registration: optional(duration('2s', '10m')),
  registrationAttempts: optional(whole({ min: 1, max: 100 })),
  shutdown: optional(duration('1s', '10m')),
  discovery: optional(duration('1s', '1h')),
  health: optional(duration('1s', '1h')),
  ghost: optional(duration('10s', '24h')),
});

const http = object({
  /** An address of the pod, or `0.0.0.0` and `::` for all. */
  address: optional(checked(text(), address => (ADDRESS.test(address) ? undefined : {
    rule: 'must be an IP address', help: 'Write 0.0.0.0 for all addresses of the pod, or 127.0.0.1 for none but itself.',
  }))),
  port: optional(whole({ min: 0, max: 65535 })),
});

const hostRoot: Form<string> = { read: (given, path, problems) => (given === '/' ? given : absolutePath.read(given, path, problems)) };

const agent = object({
  apiVersion: oneOf(AGENT_CONFIGURATION_VERSION),
  kind: oneOf(AGENT_CONFIGURATION_KIND),
  driverName: checked(text(), driverNameProblem),
  family: checked(text(), familyProblem),
  roles: optional(list(oneOf('driver', 'witness'), { min: 1 })),
  devices: optional(json()),
  kubeletRoot: optional(absolutePath),
  cdiRoot: optional(absolutePath),
  hostRoot: optional(hostRoot),
  dataFolder: optional(absolutePath),
  claimStatus: optional(flag()),
  times: optional(times),
  http: optional(http),
  log: optional(object({ level: optional(oneOf(...LOG_LEVELS)) })),
});

/** The configuration file of an agent as it is written, without defaults; times are milliseconds. */
export type AgentSettings = ReadBy<typeof agent>;

/** Reads a configuration of the agent; the agent itself and the construct that writes one judge by this alone. */
export function readAgentSettings(given: unknown): Decoded<AgentSettings> {
  const decoded = decode(agent, given);
  const problems = ['problems' in decoded ? decoded.problems : [], sectionProblems(given)].flat();
  return problems.length > 0 ? { problems } : decoded;
}

/** What is wrong with the `devices` section, field by field. */
export function devicesProblems(section: unknown): readonly FieldProblem[] {
  const name = backendName(section);
  if (typeof name !== 'string') return [name];
  const decoded = decode<unknown>(BACKEND_SETTINGS[name], section);
  return 'problems' in decoded ? decoded.problems : [];
}

/** The backend that a `devices` section is for, or why there is none. */
export function backendName(section: unknown): BackendName | FieldProblem {
  const name = typeof section === 'object' && section !== null && Object.hasOwn(section, 'backend') ? (section as { readonly backend: unknown }).backend : undefined;
  if (typeof name === 'string' && Object.hasOwn(BACKEND_SETTINGS, name)) return name as BackendName;
  const names = Object.keys(BACKEND_SETTINGS);
  const near = typeof name === 'string' ? nearest(name, names) : undefined;
  return {
    path: ['backend'],
    rule: `must be one of ${names.join(', ')}, ${name === undefined ? 'but is missing' : `got ${show(name)}`}`,
    help: near === undefined ? 'Name the kind of hardware that the agent offers.' : `Did you mean '${near}'?`,
  };
}

/** What the form of one field cannot see. */
function sectionProblems(given: unknown): readonly FieldProblem[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return [];
  const { devices, roles = ['driver'] } = given as { readonly devices?: unknown; readonly roles?: unknown };
  const isDriver = Array.isArray(roles) && roles.includes('driver');
  if (devices !== undefined && !isDriver) {
    return [{ path: ['devices'], rule: 'must not be there, as the agent is no driver', help: 'Remove it, or add driver to roles.' }];
  }
  if (!isDriver) return [];
  if (devices === undefined) return [{ path: ['devices'], rule: 'must say which hardware the driver offers, but is missing', help: 'Add it, see docs/devices.md.' }];
  return devicesProblems(devices).map(problem => ({ ...problem, path: ['devices', ...problem.path] }));
}

const ADDRESS = /^(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)$/;
