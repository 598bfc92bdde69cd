import { failureOf, failureText } from 'cdk8s-dra/model';

import { UncleanDevice } from './unclean-device.js';
import { NodeFailure } from '../../devices/node-failure.js';

/** A failure with the class that the catalogue gives it. */
export function failure(code: string, message: string, details: NodeFailure['details'] = {}): NodeFailure {
  return new NodeFailure(code, failureOf(code).failureClass ?? 'retryable', message, details);
}

/** What was thrown, as a failure of the catalogue: anything else than one gets `code`. */
export function asFailure(error: unknown, code: string): NodeFailure {
  if (error instanceof NodeFailure) return error;
  if (error instanceof UncleanDevice) return error.failure;
  return failure(code, error instanceof Error ? error.message : String(error), { cause: error });
}

/** For kubelet, which puts it into the pod's event: code first, and short enough that the end is not cut off. */
export function textForKubelet({ code, message }: NodeFailure): string {
  // Kubelet's event has 1024 bytes, of which it needs some for its own words.
  return cut(failureText(failureOf(code), message), MAX_TEXT);
}

const MAX_TEXT = 800;

function cut(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length <= length ? flat : `${flat.slice(0, length - 1)}…`;
}
