import type { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { Manifest } from '../model/manifests/manifest';
import { formatPath } from '../model/manifests/manifest';
import { objectMistakes } from '../model/rules/object-mistakes';
import { KubernetesTarget } from '../target/kubernetes-target';

/**
 * Throws when the object of a construct cannot be right as it was given, naming everything that is wrong with it.
 *
 * Called by constructors: the mistake is reported at the line that made it. Values that are decided later (`Lazy`) are left to
 * `PlatformApp.synth` and `kubectl-dra check`.
 */
export function refuseMistakes(construct: Construct, object: ApiObject, given: unknown): void {
  if (!isPlain(given)) return;
  const value = object.toJson();
  const manifest: Manifest = { value, source: { name: construct.node.path } };
  const mistakes = objectMistakes(manifest, KubernetesTarget.find(construct)._target);
  if (mistakes.length === 0) return;
  const lines = mistakes.map(({ code, path, message, help }) => `${formatPath(path)}: ${message} ${help} (${code})`);
  throw new Error(`[${construct.node.path}] ${value.kind} "${object.name}" is refused:\n  ${lines.join('\n  ')}`);
}

/** Whether a value is what it seems: a Lazy or another object of a class has its value only when the app is rendered. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  const prototype = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isPlain);
}
