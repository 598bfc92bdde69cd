import { dnsSubdomainProblem } from 'cdk8s-dra/model';

import { lowestCdiVersion } from './cdi-spec.js';
import type { CdiSpec } from './cdi-spec.js';
import type { ContainerEdits } from '../../devices/backend.js';

/**
 * Why a container runtime would refuse a file, or a container with its devices; empty when it would not.
 *
 * Sources: container-device-interface SPEC.md, pkg/cdi/{spec,container-edits}.go, pkg/parser/parser.go (05ae4b5). Stricter than these where a
 * runtime would take the file and the container would fail later: relative paths, NUL bytes.
 */
export function cdiProblems(spec: CdiSpec): readonly string[] {
  const { kind, devices, cdiVersion } = spec;
  const problems: string[] = [];
  const slash = kind.indexOf('/');
  const [vendor, cdiClass] = [kind.slice(0, slash), kind.slice(slash + 1)];
  const isVendor = VENDOR_OR_CLASS.test(vendor) && dnsSubdomainProblem(vendor.toLowerCase()) === undefined;
  if (slash < 0 || !isVendor || !VENDOR_OR_CLASS.test(cdiClass) || cdiClass.length > 63) {
    problems.push(`kind '${kind}' must be a vendor's DNS name, '/' and a class of at most 63 characters`);
  }
  if (devices.length === 0) problems.push('a file must have a device');
  if (cdiVersion !== lowestCdiVersion(spec)) problems.push(`cdiVersion must be ${lowestCdiVersion(spec)}, the lowest that has what is used`);
  const names = new Set<string>();
  for (const { name, containerEdits } of devices) {
    if (!DEVICE_NAME.test(name)) problems.push(`device name '${name}' must begin and end with a letter or digit, with '-', '_', '.' and ':' between`);
    if (names.has(name)) problems.push(`device '${name}' is there twice`);
    names.add(name);
    if (hasNoEdits(containerEdits)) problems.push(`device '${name}' changes nothing in a container`);
    problems.push(...editProblems(containerEdits).map((problem) => `device '${name}': ${problem}`));
  }
  return problems;
}

/** `vendor/class=device`, as a container names a device of a file. */
export function isQualifiedCdiName(text: string): boolean {
  const match = /^([^/=]+)\/([^/=]+)=(.+)$/.exec(text);
  if (match === null) return false;
  const [, vendor = '', cdiClass = '', name = ''] = match;
  return VENDOR_OR_CLASS.test(vendor) && VENDOR_OR_CLASS.test(cdiClass) && DEVICE_NAME.test(name);
}

/** Nothing that a container would get. */
export function hasNoEdits({ env = [], deviceNodes = [], mounts = [], hooks = [], additionalGids = [] }: ContainerEdits): boolean {
  return env.length + deviceNodes.length + mounts.length + hooks.length + additionalGids.length === 0;
}

const VENDOR_OR_CLASS = /^[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/;
const DEVICE_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_.:-]*[A-Za-z0-9])?$/;
const HOOKS = new Set(['prestart', 'createRuntime', 'createContainer', 'startContainer', 'poststart', 'poststop']);
const MAX_UINT32 = 2 ** 32 - 1;

function editProblems({ env = [], deviceNodes = [], mounts = [], hooks = [], additionalGids = [] }: ContainerEdits): readonly string[] {
  return [
    ...env.flatMap((one) => envProblems(one)),
    ...deviceNodes.flatMap(({ path, hostPath, type, major, minor, permissions }) => [
      ...pathProblems('device node', path),
      ...(hostPath === undefined ? [] : pathProblems('host path of a device node', hostPath)),
      ...(type === undefined || type === 'b' || type === 'c' ? [] : [`device node ${path} has the type '${String(type)}', not b or c`]),
      ...([major, minor].every((number) => number === undefined || (Number.isSafeInteger(number) && number >= 0)) ? [] : [`device node ${path} has no device number`]),
      ...(permissions === undefined || permissions === 'none' || /^[rwm]+$/.test(permissions) ? [] : [`device node ${path} has the permissions '${permissions}', not r, w, m`]),
    ]),
    ...mounts.flatMap(({ hostPath, containerPath }) => [...pathProblems('host path of a mount', hostPath), ...pathProblems('mount', containerPath)]),
    ...hooks.flatMap(({ hookName, path, env: hookEnv = [], timeout }) => [
      ...(HOOKS.has(hookName) ? [] : [`'${String(hookName)}' is no hook`]),
      ...pathProblems('hook', path),
      ...hookEnv.flatMap((one) => envProblems(one)),
      ...(timeout === undefined || (Number.isInteger(timeout) && timeout > 0) ? [] : ['the timeout of a hook must be a number of seconds above 0']),
    ]),
    ...(additionalGids.every((gid) => Number.isInteger(gid) && gid >= 0 && gid <= MAX_UINT32) ? [] : ['a group id must be a whole number below 2^32']),
  ];
}

/** Values may be secrets of a vendor, so only the name is said. */
function envProblems(one: string): readonly string[] {
  const equals = one.indexOf('=');
  if (equals <= 0) return ['an environment variable must be NAME=value'];
  return one.includes('\0') ? [`environment variable ${one.slice(0, equals)} has a NUL byte`] : [];
}

function pathProblems(what: string, path: string): readonly string[] {
  if (path.includes('\0')) return [`a ${what} has a NUL byte`];
  return path.startsWith('/') ? [] : [`${what} '${path}' must be an absolute path`];
}
