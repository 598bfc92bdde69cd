import { readAgentSettings } from 'cdk8s-dra/model';
import type { Decoded, LogLevel } from 'cdk8s-dra/model';

import { defaultDataFolder } from '../kubelet/socket-paths.js';

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

/** Strict: an unknown field is a problem. Every problem of every section is named. */
export function decodeConfiguration(value: unknown): Decoded<AgentConfiguration> {
  const decoded = readAgentSettings(value);
  if ('problems' in decoded) return decoded;
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
