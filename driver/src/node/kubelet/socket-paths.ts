import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Where one agent meets kubelet. */
export interface SocketPaths {
  /** Kubelet finds the agent by this one. */
  readonly registration: string;
  /** Kubelet calls the agent on this one. */
  readonly service: string;
}

export interface SocketOwner {
  readonly kubeletRoot: string;
  /** Folder of the service socket, the same path inside the pod and outside. */
  readonly dataFolder: string;
  readonly driverName: string;
  /** Two agents of one driver can serve beside each other during a rolling update when each has its pod's UID in its names. */
  readonly podUid?: string | undefined;
}

/** A path that no unix socket can have: a folder or a name has to be shorter. */
export class SocketPathError extends Error {
  public override readonly name = 'SocketPathError';

  public constructor(path: string, setting: string) {
    super(`The path of a unix socket must have at most ${MAX_SOCKET_PATH} bytes, got ${Buffer.byteLength(path)} at the shortest: ${path}. `
      + `Choose a shorter ${setting}.`);
  }
}

/** What the kernel takes (`sun_path` has 108 bytes, the last is zero); Node cuts a longer path without a word. */
export const MAX_SOCKET_PATH = 107;

/**
 * The paths of an agent's two sockets: readable where they fit, shortened by hashes where they do not.
 *
 * The forms of the registration socket are those of the upstream helper (dynamic-resource-allocation 0.37, `kubeletplugin`); kubelet does not
 * read the name. The last form is made from the shortened UID, so that it can be told from the service socket of a dead agent.
 */
export function socketPaths(owner: SocketOwner): SocketPaths {
  const { podUid } = owner;
  const service = podUid === undefined
    ? ['dra.sock']
    : [`dra-${podUid}.sock`, `dra-${shortUid(podUid)}.sock`, `${shortUid(podUid)}.sock`];
  return {
    registration: firstThatFits(registryFolder(owner), registrationNames(owner), 'kubeletRoot or driverName'),
    service: firstThatFits(owner.dataFolder, service, 'dataFolder'),
  };
}

/** Folder that kubelet watches. */
export function registryFolder({ kubeletRoot }: { readonly kubeletRoot: string }): string {
  return join(kubeletRoot, 'plugins_registry');
}

/** Folder of a driver below kubelet's. */
export function defaultDataFolder(kubeletRoot: string, driverName: string): string {
  return join(kubeletRoot, 'plugins', driverName);
}

/** Names of registration sockets that agents of this driver may have left behind; of the last form only those of the given service sockets. */
export function mayBeRegistrationOf({ driverName }: SocketOwner, name: string, serviceNames: readonly string[]): boolean {
  const middle = name.startsWith(`${driverName}-`) && name.endsWith('reg.sock') ? name.slice(driverName.length, -'reg.sock'.length) : undefined;
  if (middle === '-' || (middle !== undefined && UID_OR_HASH.test(middle))) return true;
  return serviceNames.some((service) => {
    const uid = /^(?:dra-)?(.+)\.sock$/.exec(service)?.[1];
    return uid !== undefined && name === hashedRegistration(driverName, UID.test(uid) ? shortUid(uid) : uid);
  });
}

/** Names of service sockets, which lie in a folder of the driver's own. */
export function isServiceSocket(name: string): boolean {
  return name === 'dra.sock' || SERVICE.test(name);
}

function registrationNames({ driverName, podUid }: SocketOwner): readonly string[] {
  if (podUid === undefined) return [`${driverName}-reg.sock`, hashedRegistration(driverName, '')];
  return [`${driverName}-${podUid}-reg.sock`, `${driverName}-${shortUid(podUid)}-reg.sock`, hashedRegistration(driverName, shortUid(podUid))];
}

function firstThatFits(folder: string, names: readonly string[], setting: string): string {
  const paths = names.map((name) => join(folder, name));
  const path = paths.find((each) => Buffer.byteLength(each) <= MAX_SOCKET_PATH);
  if (path !== undefined) return path;
  throw new SocketPathError(paths.at(-1) ?? folder, setting);
}

function shortUid(uid: string): string {
  return hash(uid, 8);
}

function hashedRegistration(driverName: string, uid: string): string {
  return `dra-${hash(`${driverName}\0${uid}`, 16)}-reg.sock`;
}

function hash(text: string, bytes: number): string {
  return createHash('sha256').update(text).digest().subarray(0, bytes).toString('base64url');
}

const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** What stands between driver and `reg.sock`: eight bytes in base64url are eleven characters. */
const UID_OR_HASH = /^-(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]{11})-$/;
const SERVICE = /^(?:dra-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:dra-)?[\w-]{11})\.sock$/;
