import { LIMITS, dnsLabelProblem } from 'cdk8s-dra/model';

import { failure } from './failure.js';
import type { Json, JsonObject } from '../../devices/json.js';

/** A device of this driver that an allocation gives to a claim, or a share of one. */
export interface AllocatedDevice {
  readonly device: string;
  readonly pool: string;
  /** Top-level request names. */
  readonly requests: readonly string[];
  readonly shareId?: string;
  readonly consumedCapacity: { readonly [capacity: string]: string };
  readonly adminAccess: boolean;
  /** Parameters of this driver: those of the class, then those of the claim, each once. */
  readonly config: readonly JsonObject[];
}

/** A claim as the agent needs it. */
export interface AllocatedClaim {
  readonly uid: string;
  readonly devices: readonly AllocatedDevice[];
  /** Name in the pod's spec, for claims that were made from a template. */
  readonly podClaimName?: string;
}

/**
 * What the claim gives to a driver on a node.
 *
 * Fields that are not needed are ignored, as the API grows; those that are needed must be what the API says. A result that no scheduler writes
 * is refused as DRA314 to DRA318, whatever wrote it.
 */
export function allocatedClaim(claim: unknown, { driver, node }: { readonly driver: string; readonly node: string }): AllocatedClaim {
  const { metadata, status } = asObject(claim, 'the claim');
  const { uid, annotations } = asObject(metadata, 'metadata');
  const allocation = asObject(status ?? {}, 'status').allocation;
  if (allocation === undefined || allocation === null) throw failure('DRA313', 'its status has no allocation');
  const { devices, nodeSelector } = asObject(allocation, 'status.allocation');
  const { results, config } = asObject(devices ?? {}, 'status.allocation.devices');
  refuseOtherNode(nodeSelector, node);

  const all = asList(results ?? [], 'status.allocation.devices.results').map(readResult);
  const max = LIMITS.resultsPerClaim.max;
  if (all.length === 0 || all.length > max) throw impossible(`it has ${all.length} devices; a claim has 1 to ${max}`);
  const ours = all.filter((result) => result.driver === driver);
  if (ours.length === 0) throw impossible(`none of its ${all.length} devices is of driver ${driver}`);

  const configs = readConfigs(config ?? [], driver);
  const podClaimName = asObject(annotations ?? {}, 'metadata.annotations')[POD_CLAIM_NAME];
  return {
    uid: asText(uid, 'metadata.uid'),
    devices: merged(ours).map((result) => ({ ...result.device, requests: topLevel(result.requests), config: configsFor(configs, result.requests) })),
    ...(typeof podClaimName === 'string' ? { podClaimName } : {}),
  };
}

const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';

interface Result {
  readonly driver: string;
  /** With `/subrequest` where there is one. */
  readonly requests: readonly string[];
  readonly device: Omit<AllocatedDevice, 'requests' | 'config'>;
}

function readResult(value: unknown, index: number): Result {
  const at = `status.allocation.devices.results[${index}]`;
  const { request, driver, pool, device, adminAccess, shareID, consumedCapacity } = asObject(value, at);
  const name = asText(device, `${at}.device`);
  const problem = dnsLabelProblem(name);
  if (problem !== undefined) throw impossible(`${at}.device ${problem.rule}`);
  if (shareID !== undefined && shareID !== null && (typeof shareID !== 'string' || !SHARE_ID.test(shareID))) {
    throw impossible(`${at}.shareID must be a UUID in lower case`);
  }
  if (adminAccess !== undefined && adminAccess !== null && typeof adminAccess !== 'boolean') throw impossible(`${at}.adminAccess must be true or false`);
  return {
    driver: asText(driver, `${at}.driver`),
    requests: [asText(request, `${at}.request`)],
    device: {
      device: name,
      pool: asText(pool, `${at}.pool`),
      ...(typeof shareID === 'string' ? { shareId: shareID } : {}),
      consumedCapacity: readQuantities(consumedCapacity ?? {}, `${at}.consumedCapacity`),
      adminAccess: adminAccess === true,
    },
  };
}

const SHARE_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function readQuantities(value: unknown, at: string): { readonly [capacity: string]: string } {
  return Object.fromEntries(Object.entries(asObject(value, at)).map(([name, amount]) => {
    if (typeof amount !== 'string' && typeof amount !== 'number') throw impossible(`${at}.${name} must be a quantity`);
    return [name, String(amount)];
  }));
}

/** One entry for a device that several requests of the claim have: it is one device, prepared once. */
function merged(results: readonly Result[]): readonly Result[] {
  const byDevice = new Map<string, Result>();
  for (const result of results) {
    const { pool, device, shareId } = result.device;
    const key = JSON.stringify([pool, device, shareId]);
    const before = byDevice.get(key);
    byDevice.set(key, before === undefined ? result : {
      driver: result.driver,
      requests: [...new Set([...before.requests, ...result.requests])],
      // Real use and monitoring by one claim is use.
      device: { ...before.device, adminAccess: before.device.adminAccess && result.device.adminAccess },
    });
  }
  return [...byDevice.values()];
}

function topLevel(requests: readonly string[]): readonly string[] {
  return [...new Set(requests.map((request) => request.split('/')[0]!))];
}

interface Config {
  /** Empty: all. */
  readonly requests: readonly string[];
  readonly parameters: JsonObject;
}

/** Those for this driver, of the class first; an entry that the allocator wrote down several times counts once. */
function readConfigs(value: unknown, driver: string): readonly Config[] {
  const entries = asList(value, 'status.allocation.devices.config').map((entry, index) => {
    const at = `status.allocation.devices.config[${index}]`;
    const { source, requests, opaque } = asObject(entry, at);
    if (source !== 'FromClass' && source !== 'FromClaim') throw impossible(`${at}.source must be FromClass or FromClaim`);
    return { at, source, requests: asList(requests ?? [], `${at}.requests`).map((request) => asText(request, `${at}.requests`)), opaque };
  });
  const found: Config[] = [];
  const seen = new Set<string>();
  for (const from of ['FromClass', 'FromClaim']) {
    for (const { at, source, requests, opaque } of entries) {
      if (source !== from || opaque === undefined || opaque === null) continue;
      const { driver: addressee, parameters } = asObject(opaque, `${at}.opaque`);
      if (addressee !== driver) continue;
      const read = readParameters(parameters, `${at}.opaque.parameters`);
      const key = JSON.stringify([source, [...requests].sort(), read]);
      if (seen.has(key)) continue;
      seen.add(key);
      found.push({ requests, parameters: read });
    }
  }
  return found;
}

function readParameters(value: unknown, at: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw failure('DRA318', `${at} must be an object`);
  const parameters = plainJson(value);
  const bytes = Buffer.byteLength(JSON.stringify(parameters));
  const { max } = LIMITS.opaqueBytes;
  if (bytes > max) throw failure('DRA318', `${at} has ${bytes} bytes; ${max} are the most`);
  return parameters as JsonObject;
}

function configsFor(configs: readonly Config[], requests: readonly string[]): readonly JsonObject[] {
  return configs
    .filter((config) => config.requests.length === 0 || requests.some((request) => config.requests.includes(request) || config.requests.includes(request.split('/')[0]!)))
    .map(({ parameters }) => parameters);
}

/** The device of that name on another node is another device. */
function refuseOtherNode(selector: unknown, node: string): void {
  if (selector === undefined || selector === null) return;
  const terms = asList(asObject(selector, 'status.allocation.nodeSelector').nodeSelectorTerms ?? [], 'status.allocation.nodeSelector.nodeSelectorTerms');
  const mayBeHere = terms.some((term) => asList(asObject(term, 'a node selector term').matchFields ?? [], 'matchFields').every((requirement) => {
    const { key, operator, values } = asObject(requirement, 'matchFields');
    if (key !== 'metadata.name') return true;
    const named = asList(values ?? [], 'matchFields.values').includes(node);
    return operator === 'In' ? named : operator === 'NotIn' ? !named : true;
  }));
  if (!mayBeHere) throw failure('DRA317', `its node selector excludes node ${node}: ${JSON.stringify(plainJson(terms)).slice(0, 200)}`);
}

/** Integers beyond 2^53 become texts, as everywhere in our own files. */
function plainJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => typeof part === 'bigint' ? String(part) : part)) as Json;
}

function impossible(message: string): Error {
  return failure('DRA314', message);
}

function asObject(value: unknown, what: string): { readonly [key: string]: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as { readonly [key: string]: unknown };
  throw impossible(`${what} must be an object`);
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  throw impossible(`${what} must be a list`);
}

function asText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw impossible(`${what} must be a text`);
}
