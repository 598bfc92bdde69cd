import { driverNameProblem, familyProblem } from 'cdk8s-dra/model';
import * as z from 'zod/mini';

import { duration } from './duration.js';
import { devicesProblems } from '../../devices/create-backend.js';
import { absolutePath } from '../../devices/settings-fields.js';
import { decode, rule } from '../../devices/strict-decode.js';
import type { Decoded, FieldProblem } from '../../devices/strict-decode.js';
import { defaultDataFolder } from '../kubelet/socket-paths.js';

export const CONFIGURATION_VERSION = 'cdk8s-dra.dev/v1alpha1';
export const CONFIGURATION_KIND = 'NodeAgentConfiguration';

/** What the agent is for. */
export type AgentRole =
  /** Offers the devices of one family. */
  | 'driver'
  /** Tells what is held, by whomever. */
  | 'witness';

/** The configuration file with all defaults filled in; times are milliseconds. */
export interface AgentConfiguration {
  readonly driverName: string;
  /** Kind of device, as in node labels. */
  readonly family: string;
  readonly roles: readonly AgentRole[];
  /** The section of the backend, decoded by the backend; there is one exactly when the agent is a driver. */
  readonly devices?: unknown;
  /** Of this node's kubelet; the same path inside the pod and outside, since kubelet is told paths below it. */
  readonly kubeletRoot: string;
  /** Folder that the container runtime reads CDI files from. */
  readonly cdiRoot: string;
  /** Where the host's files are mounted: backends read `/sys`, `/dev` and others below it. */
  readonly hostRoot: string;
  /** Records and the service socket. */
  readonly dataFolder: string;
  /** Whether `status.devices` of claims is written. */
  readonly claimStatus: boolean;
  readonly times: AgentTimes;
  readonly http: { readonly address: string; readonly port: number };
  readonly log: { readonly level: LogLevel };
}

export interface AgentTimes {
  /** For kubelet to find one pair of sockets. */
  readonly registration: number;
  /** Pairs of sockets before the agent gives up. */
  readonly registrationAttempts: number;
  /** For what is under way when the agent ends. */
  readonly shutdown: number;
  /** Between two looks for devices that came or went. */
  readonly discovery: number;
  /** Between two looks at the health of devices. */
  readonly health: number;
  /** That a claim must be gone from the API before its devices are taken back. */
  readonly ghost: number;
}

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = typeof LOG_LEVELS[number];

const path = absolutePath;

const times = z.strictObject({
  registration: z.optional(duration('2s', '10m')),
  registrationAttempts: z.optional(z.int().check(z.minimum(1), z.maximum(100))),
  shutdown: z.optional(duration('1s', '10m')),
  discovery: z.optional(duration('1s', '1h')),
  health: z.optional(duration('1s', '1h')),
  ghost: z.optional(duration('10s', '24h')),
});

const http = z.strictObject({
  /** An address of the pod, or `0.0.0.0` and `::` for all. */
  address: z.optional(z.string().check(rule((address) => (ADDRESS.test(address) ? undefined : {
    rule: 'must be an IP address', help: 'Write 0.0.0.0 for all addresses of the pod, or 127.0.0.1 for none but itself.',
  })))),
  port: z.optional(z.int().check(z.minimum(0), z.maximum(65535))),
});

const configuration = z.strictObject({
  apiVersion: z.literal(CONFIGURATION_VERSION),
  kind: z.literal(CONFIGURATION_KIND),
  driverName: z.string().check(rule(driverNameProblem)),
  family: z.string().check(rule(familyProblem)),
  roles: z.optional(z.array(z.enum(['driver', 'witness'])).check(z.minLength(1))),
  devices: z.optional(z.unknown()),
  kubeletRoot: z.optional(path),
  cdiRoot: z.optional(path),
  hostRoot: z.optional(z.union([z.literal('/'), path])),
  dataFolder: z.optional(path),
  claimStatus: z.optional(z.boolean()),
  times: z.optional(times),
  http: z.optional(http),
  log: z.optional(z.strictObject({ level: z.optional(z.enum(LOG_LEVELS)) })),
});

/** Strict: an unknown field is a problem. Every problem of every section is named. */
export function decodeConfiguration(value: unknown): Decoded<AgentConfiguration> {
  const decoded = decode(configuration, value);
  const problems = ['problems' in decoded ? decoded.problems : [], sectionProblems(value)].flat();
  if ('problems' in decoded || problems.length > 0) return { problems };
  const given = decoded.value;
  const { driverName, family, devices, roles = ['driver'], kubeletRoot = '/var/lib/kubelet', cdiRoot = '/var/run/cdi', hostRoot = '/' } = given;
  return {
    value: {
      driverName,
      family,
      roles: [...new Set(roles)],
      ...(devices === undefined ? {} : { devices }),
      kubeletRoot,
      cdiRoot,
      hostRoot,
      dataFolder: given.dataFolder ?? defaultDataFolder(kubeletRoot, driverName),
      claimStatus: given.claimStatus ?? false,
      times: {
        registration: given.times?.registration ?? 20_000,
        registrationAttempts: given.times?.registrationAttempts ?? 3,
        // A pod has 30 s unless it says otherwise.
        shutdown: given.times?.shutdown ?? 25_000,
        discovery: given.times?.discovery ?? 30_000,
        health: given.times?.health ?? 5000,
        ghost: given.times?.ghost ?? 300_000,
      },
      http: { address: given.http?.address ?? '0.0.0.0', port: given.http?.port ?? 9464 },
      log: { level: given.log?.level ?? 'info' },
    },
  };
}

/** What the schema of one field cannot see. */
function sectionProblems(value: unknown): readonly FieldProblem[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { devices, roles = ['driver'] } = value as { readonly devices?: unknown; readonly roles?: unknown };
  const isDriver = Array.isArray(roles) && roles.includes('driver');
  if (devices !== undefined && !isDriver) {
    return [{ path: ['devices'], rule: 'must not be there, as the agent is no driver', help: 'Remove it, or add driver to roles.' }];
  }
  if (!isDriver) return [];
  if (devices === undefined) return [{ path: ['devices'], rule: 'must say which hardware the driver offers, but is missing', help: 'Add it, see docs/devices.md.' }];
  return devicesProblems(devices).map((problem) => ({ ...problem, path: ['devices', ...problem.path] }));
}

const ADDRESS = /^(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9a-fA-F:]*:[0-9a-fA-F:.]*)$/;
