import { readList, readManifest, readObject, readOptionalFlag, readQuantity, readText, readTexts, readWhole } from '../decoding';
import type { JsonObject } from '../decoding';
import type { Quantity } from '../quantity';
import type { Taint } from './slice';

/** A selector; undefined where the manifest has no CEL expression. */
export type Selector = string | undefined;

export interface Toleration extends Taint {
  readonly operator: string;
}

/** A request or subrequest. */
export interface Request {
  readonly name: string;
  readonly deviceClassName: string;
  readonly allocationMode: string;
  readonly count: number;
  /** With all digits, also where the number has lost some. */
  readonly countText: string;
  /** Undefined when the manifest does not say. */
  readonly adminAccess?: boolean;
  readonly selectors: readonly Selector[];
  readonly tolerations: readonly Toleration[];
  /** The tolerations as results repeat them. */
  readonly tolerationObjects: readonly JsonObject[];
  readonly hasCapacity: boolean;
  readonly capacity: ReadonlyMap<string, Quantity>;
  /** Expressions by name. */
  readonly derivedAttributes: ReadonlyMap<string, string>;
}

export interface ClaimRequest {
  readonly name: string;
  readonly exactly?: Request;
  readonly firstAvailable: readonly Request[];
}

export interface ClaimConstraint {
  readonly requests: readonly string[];
  readonly matchAttribute?: string;
  readonly distinctAttribute?: string;
}

export interface Config {
  readonly requests: readonly string[];
  /** The driver's part, as results repeat it. */
  readonly configuration: JsonObject;
}

export interface Claim {
  readonly name: string;
  /** As messages name it. */
  readonly reference: string;
  readonly requests: readonly ClaimRequest[];
  readonly constraints: readonly ClaimConstraint[];
  readonly configs: readonly Config[];
}

export interface DeviceClass {
  readonly name: string;
  readonly selectors: readonly Selector[];
  readonly configs: readonly Config[];
}

/** Reads a v1 ResourceClaim with the defaults that the API server fills in. */
export function readClaim(value: unknown, path: string): Claim {
  const claim = readManifest(value, path);
  const metadata = readObject(claim.metadata, `${path}.metadata`);
  const devices = readObject(readObject(claim.spec, `${path}.spec`).devices, `${path}.spec.devices`);
  const at = `${path}.spec.devices`;
  const name = readText(metadata.name, `${path}.metadata.name`);
  const namespace = readText(metadata.namespace, `${path}.metadata.namespace`);
  return {
    name,
    reference: namespace === '' ? name : `${namespace}/${name}`,
    requests: readList(devices.requests, `${at}.requests`).map((one, i) => readClaimRequest(one, `${at}.requests[${i}]`)),
    constraints: readList(devices.constraints, `${at}.constraints`).map((one, i) => {
      const constraint = readObject(one, `${at}.constraints[${i}]`);
      return {
        requests: readTexts(constraint.requests, `${at}.constraints[${i}].requests`),
        ...given('matchAttribute', constraint, `${at}.constraints[${i}]`),
        ...given('distinctAttribute', constraint, `${at}.constraints[${i}]`),
      };
    }),
    configs: readConfigs(devices.config, `${at}.config`),
  };
}

export function readClass(value: unknown, path: string): DeviceClass {
  const object = readManifest(value, path);
  const spec = readObject(object.spec, `${path}.spec`);
  return {
    name: readText(readObject(object.metadata, `${path}.metadata`).name, `${path}.metadata.name`),
    selectors: readSelectors(spec.selectors, `${path}.spec.selectors`),
    configs: readConfigs(spec.config, `${path}.spec.config`),
  };
}

function readClaimRequest(value: unknown, path: string): ClaimRequest {
  const request = readObject(value, path);
  const name = readText(request.name, `${path}.name`);
  return {
    name,
    ...(request.exactly === undefined || request.exactly === null
      ? {}
      : { exactly: readRequest(name, readObject(request.exactly, `${path}.exactly`), `${path}.exactly`, true) }),
    firstAvailable: readList(request.firstAvailable, `${path}.firstAvailable`).map((one, i) => {
      const subRequest = readObject(one, `${path}.firstAvailable[${i}]`);
      return readRequest(readText(subRequest.name, `${path}.firstAvailable[${i}].name`), subRequest, `${path}.firstAvailable[${i}]`, false);
    }),
  };
}

function readRequest(name: string, request: JsonObject, path: string, top: boolean): Request {
  const allocationMode = readText(request.allocationMode, `${path}.allocationMode`) || 'ExactCount';
  const count = readWhole(request.count, `${path}.count`);
  const capacity = readObject(readObject(request.capacity, `${path}.capacity`).requests, `${path}.capacity.requests`);
  const tolerations = readList(request.tolerations, `${path}.tolerations`)
    .map((one, i) => readToleration(readObject(one, `${path}.tolerations[${i}]`), `${path}.tolerations[${i}]`));
  return {
    name,
    deviceClassName: readText(request.deviceClassName, `${path}.deviceClassName`),
    allocationMode,
    count: allocationMode === 'ExactCount' && count === 0 ? 1 : count,
    countText: String(request.count),
    ...(top && request.adminAccess !== undefined && request.adminAccess !== null
      ? { adminAccess: readOptionalFlag(request.adminAccess, `${path}.adminAccess`) }
      : {}),
    selectors: readSelectors(request.selectors, `${path}.selectors`),
    tolerations: tolerations.map(one => one.toleration),
    tolerationObjects: tolerations.map(one => one.object),
    hasCapacity: request.capacity !== undefined && request.capacity !== null,
    capacity: new Map(Object.keys(capacity).sort().map(key => [key, readQuantity(capacity[key], `${path}.capacity.requests.${key}`)])),
    derivedAttributes: new Map(readList(request.derivedAttributes, `${path}.derivedAttributes`).map((one, i) => {
      const derived = readObject(one, `${path}.derivedAttributes[${i}]`);
      return [
        readText(derived.name, `${path}.derivedAttributes[${i}].name`),
        readText(derived.expression, `${path}.derivedAttributes[${i}].expression`),
      ];
    })),
  };
}

function readToleration(object: JsonObject, path: string): { toleration: Toleration; object: JsonObject } {
  const operator = readText(object.operator, `${path}.operator`) || 'Equal';
  const toleration = {
    key: readText(object.key, `${path}.key`),
    operator,
    value: readText(object.value, `${path}.value`),
    effect: readText(object.effect, `${path}.effect`),
  };
  const seconds = object.tolerationSeconds ?? undefined;
  if (seconds !== undefined) readWhole(seconds, `${path}.tolerationSeconds`);
  return {
    toleration,
    object: {
      ...(toleration.key === '' ? {} : { key: toleration.key }),
      operator,
      ...(toleration.value === '' ? {} : { value: toleration.value }),
      ...(toleration.effect === '' ? {} : { effect: toleration.effect }),
      ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
    },
  };
}

function readSelectors(value: unknown, path: string): readonly Selector[] {
  return readList(value, path).map((one, i) => {
    const { cel } = readObject(one, `${path}[${i}]`);
    return cel === undefined || cel === null ? undefined : readText(readObject(cel, `${path}[${i}].cel`).expression, `${path}[${i}].cel.expression`);
  });
}

function readConfigs(value: unknown, path: string): readonly Config[] {
  return readList(value, path).map((one, i) => {
    const config = readObject(one, `${path}[${i}]`);
    const requests = readTexts(config.requests, `${path}[${i}].requests`);
    if (config.opaque === undefined || config.opaque === null) return { requests, configuration: {} };
    const opaque = readObject(config.opaque, `${path}[${i}].opaque`);
    const driver = readText(opaque.driver, `${path}[${i}].opaque.driver`);
    return { requests, configuration: { opaque: { driver, parameters: opaque.parameters ?? null } } };
  });
}

function given<K extends string>(field: K, object: JsonObject, path: string): { readonly [key in K]?: string } {
  const value = object[field];
  return (value === undefined || value === null ? {} : { [field]: readText(value, `${path}.${field}`) }) as { readonly [key in K]?: string };
}
