import { configProblems, opaqueProblem } from 'cdk8s-dra/model';
import type { ConfigProblem, DriverProfileFacts } from 'cdk8s-dra/model';

import type { DeviceClaim } from './device-claim.js';
import type { JsonObject } from './json.js';
import { NodeFailure } from './node-failure.js';

/**
 * The configuration of one device: those of class and claim in their order, a later one wins field by field. Refuses what is wrong as terminal.
 *
 * What is right stands in the profile of the backend's driver, so that `kubectl-dra check` and the constructs refuse the same before a pod is bound.
 */
export function claimConfig(profile: DriverProfileFacts, claim: DeviceClaim): JsonObject {
  const merged: { [field: string]: JsonObject[string] } = {};
  for (const parameters of claim.config) {
    const problems = problemsOf(profile, parameters);
    if (problems.length > 0) {
      const said = problems.slice(0, MAX_SAID).map(({ path, rule, help }) => `${path === '' ? 'the configuration' : `'${path}'`} ${rule}. ${help}`).join(' ');
      throw new NodeFailure('DRA341', 'terminal', `The configuration for ${claim.device.name} is refused: ${said}`, { devices: [claim.device.name] });
    }
    for (const [field, value] of Object.entries(parameters)) {
      if (field !== 'apiVersion' && field !== 'kind') merged[field] = value;
    }
  }
  return merged;
}

function problemsOf(profile: DriverProfileFacts, parameters: unknown): readonly ConfigProblem[] {
  const whole = opaqueProblem(parameters);
  return whole === undefined ? configProblems(profile, parameters) : [{ ...whole, path: '' }];
}

/** An event of a pod has 1024 characters. */
const MAX_SAID = 3;
