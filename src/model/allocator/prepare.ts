import type { Attempt } from './attempt';
import { FATAL, NO, YES } from './attempt';
import { attributeOf } from './attribute';
import type { Claim, ClaimRequest, Request } from './claim';
import { constraintOf, publishedAttribute } from './constraint';
import type { AttributeLookup } from './constraint';
import { LIMITS } from '../limits';
import type { RequestData } from './request-data';
import type { CompiledAttribute } from './selector-evaluator';
import type { SliceDevice } from './slice';
import type { Attribute } from '../device-json';

/** Checks all requests and finds the devices of those with mode All; false when {@link Attempt.fatal} says why not. */
export function prepareClaims(attempt: Attempt): boolean {
  const { claims, features, variant } = attempt.setting;
  const lookup = attributeLookup(attempt);
  let key = 0;
  for (let index = 0; index < claims.length; index++) {
    const claim = claims[index];
    let fewest = 0;
    attempt.slots.push([]);
    for (const request of claim.requests) {
      const refusal = featureRefusal(attempt, claim, request);
      if (refusal !== undefined) {
        attempt.stop(refusal);
        return false;
      }
      const isList = request.firstAvailable.length > 0;
      const requests = isList ? request.firstAvailable : [request.exactly];
      const alternatives: RequestData[] = [];
      let shared: Uint8Array | undefined;
      for (let i = 0; i < requests.length; i++) {
        // Upstream before 1.36 judges the second alternative with what it cached for the first.
        const matches = variant.mixesSubRequests && i === 1 && shared ? shared : new Uint8Array(attempt.devices.length);
        if (i === 0) shared = matches;
        const data = prepareRequest(attempt, index, key++, request.name, requests[i], isList, matches);
        if (!data) return false;
        alternatives.push(data);
      }
      attempt.slots[index].push({ alternatives, isList, selected: 0 });
      const least = Math.min(...alternatives.map(one => one.deviceCount));
      const limit = LIMITS.resultsPerClaim.max;
      if (least > limit - fewest) {
        const { all, request: { countText } } = alternatives.find(one => one.deviceCount === least) ?? alternatives[0];
        attempt.stop(`claim ${claim.reference}, request ${request.name}: adding ${all || least === 1 ? least : countText} devices exceeds the claim limit of ${limit}, `
          + `with ${fewest} already accounted for`);
        return false;
      }
      fewest += least;
    }
    if (fewest < 0) {
      attempt.stop('panic: runtime error: makeslice: cap out of range');
      return false;
    }
    attempt.constraints.push([]);
    for (const [i, one] of claim.constraints.entries()) {
      const constraint = constraintOf(one, variant, features.listTypeAttributes, lookup);
      if (!constraint) {
        attempt.stop(`claim ${claim.reference}, constraint #${i}: empty constraint (unsupported constraint type?)`);
        return false;
      }
      attempt.constraints[index].push(constraint);
    }
  }
  return true;
}

/** Why a request cannot be looked at because a feature is off. */
function featureRefusal(attempt: Attempt, claim: Claim, request: ClaimRequest): string | undefined {
  const { features, variant } = attempt.setting;
  if (!features.prioritizedList && request.firstAvailable.length > 0) {
    return `claim ${claim.reference}, request ${request.name}: has subrequests, but the DRAPrioritizedList feature is disabled`;
  }
  if (!variant.full || features.consumableCapacity) return undefined;
  const off = 'has capacity requests, but the DRAConsumableCapacity feature is disabled';
  if (request.exactly?.hasCapacity) return `claim ${claim.reference}, request ${request.name}: ${off}`;
  const alternative = request.firstAvailable.find(one => one.hasCapacity);
  if (!alternative) return undefined;
  return variant.naivePools ? `claim ${claim.reference}, request ${request.name}: ${off}` : `claim ${claim.reference}, subrequest ${alternative.name}: ${off}`;
}

function prepareRequest(
  attempt: Attempt, claim: number, key: number, name: string, request: Request | undefined, isList: boolean, matches: Uint8Array,
): RequestData | undefined {
  const { features, variant, classes, claims } = attempt.setting;
  const where = `claim ${claims[claim].reference}, request ${request?.name ?? name}`;
  const refuse = (text: string): undefined => {
    attempt.stop(text);
    return undefined;
  };
  if (!request) return refuse('panic: runtime error: invalid memory address or nil pointer dereference');
  if (variant.strictCapacity && request.derivedAttributes.size > 0 && !(variant.newest && features.derivedAttributes)) {
    return refuse(`${where}: cannot handle request with derived attributes, the feature is disabled`);
  }
  const untyped = request.selectors.indexOf(undefined);
  if (untyped >= 0) return refuse(`${where}, selector #${untyped}: CEL expression empty (unsupported selector type?)`);
  if (!features.adminAccess && request.adminAccess !== undefined) {
    return refuse(`${where}: admin access is requested, but the feature is disabled`);
  }
  if (request.deviceClassName === '') return refuse(`${where}: missing device class name (unsupported request type?)`);
  const deviceClass = classes.get(request.deviceClassName);
  if (!deviceClass) {
    return refuse(`${where}: could not retrieve device class ${request.deviceClassName}: `
      + `deviceclass.resource.k8s.io ${JSON.stringify(request.deviceClassName)} not found`);
  }
  const all = request.allocationMode === 'All';
  if (!all && request.allocationMode !== 'ExactCount') return refuse(`${where}: unsupported count mode ${request.allocationMode}`);
  const data = {
    key,
    request,
    baseName: name,
    ...(isList ? { subName: request.name } : {}),
    deviceClass,
    adminAccess: request.adminAccess === true,
    all,
    deviceCount: request.count,
    allDevices: [],
    matches: variant.mixesSubRequests ? new Uint8Array(attempt.devices.length) : matches,
    needs: [],
  };
  if (!all) return data;
  const devices = allDevices(attempt, claim, data, matches, where);
  return devices && { ...data, allDevices: devices, deviceCount: devices.length };
}

/** Every device that a request with mode All must get. */
function allDevices(attempt: Attempt, claim: number, data: RequestData, matches: Uint8Array, where: string): number[] | undefined {
  const found: number[] = [];
  let position = 0;
  for (const pool of attempt.pools) {
    const state = pool.incomplete ? 'being updated' : pool.invalid !== undefined ? 'invalid' : undefined;
    if (state !== undefined) {
      attempt.stop(`${where}: asks for all devices, but resource pool ${pool.driver}/${pool.name} is currently ${state}`);
      return undefined;
    }
    for (const slice of pool.slices) {
      for (let i = 0; i < slice.devices.length; i++, position++) {
        let answer = attempt.selectable(claim, data, matches, position);
        if (answer === YES && attempt.consumable) answer = fitsAll(attempt, claim, data, position, where);
        if (answer === FATAL) return undefined;
        if (answer === YES) found.push(position);
      }
    }
  }
  return found;
}

/** From 1.37 on, mode All asks only whether a device could ever have enough. */
function fitsAll(attempt: Attempt, claim: number, data: RequestData, position: number, where: string): typeof NO | typeof YES | typeof FATAL {
  if (!attempt.setting.variant.strictCapacity) return attempt.fits(claim, data, position, 'checking capacity');
  const need = attempt.need(data, position);
  if (need.panic !== undefined) return attempt.stop(need.panic);
  if (need.error !== undefined) {
    return attempt.stop(`${where}: checking capacity for device ${attempt.devices[position].name}: ${need.error}`);
  }
  const { capacity } = attempt.devices[position];
  const enough = !need.undefinedCapacity && !need.againstPolicy && need.amounts.every((amount, i) => amount.compareTo(capacity[i].value) <= 0);
  if (!enough) attempt.setting.trace?.exclude(claim, data, position, 'capacity', 'can never have enough');
  return enough ? YES : NO;
}

/** Attributes as published, or as a request derives them (alpha of 1.37). */
function attributeLookup(attempt: Attempt): AttributeLookup {
  const { variant, features, evaluator } = attempt.setting;
  if (!variant.newest || !features.derivedAttributes) return publishedAttribute;
  const compiled = new Map<string, CompiledAttribute>();
  const known = new Map<SliceDevice, Map<string, Attribute>>();
  return (request, device, name) => {
    const expression = request.request.derivedAttributes.get(name);
    if (expression === undefined) return attributeOf(device, name);
    let ofDevice = known.get(device);
    if (!ofDevice) known.set(device, ofDevice = new Map());
    const before = ofDevice.get(expression);
    if (before) return before;
    let attribute = compiled.get(expression);
    if (!attribute) {
      attribute = evaluator.compileAttribute?.(expression) ?? { compileError: 'derived attributes cannot be computed here' };
      compiled.set(expression, attribute);
    }
    if ('compileError' in attribute) return { error: `compile derived attribute ${name} failed: ${attribute.compileError}` };
    const value = attribute.attributeOf(device.view);
    if ('error' in value) {
      const id = `${device.slice.driver}/${device.slice.pool}/${device.name}`;
      return { error: `evaluate derived attribute ${name} on device ${id} failed: ${value.error}` };
    }
    ofDevice.set(expression, value);
    return value;
  };
}
