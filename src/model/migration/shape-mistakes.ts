import { formatPath } from '../manifests/manifest';
import { ManifestSet } from '../manifests/manifest-set';
import type { JsonObject } from '../manifests/manifest-set';
import { OWN_OBJECTS_RULE } from '../rules/own-objects-rule';
import { Target } from '../target';

/**
 * Values of an object of ours that are of another type than its CRD says, or none of its words, a sentence each: what reads plans relies on them.
 *
 * An unknown field is none of its matters: a newer CRD may have it.
 */
export function shapeMistakes(value: JsonObject): readonly string[] {
  const mistakes: string[] = [];
  OWN_OBJECTS_RULE.run({
    manifests: new ManifestSet([{ value, source: { name: '' } }]),
    target: Target.of('1.34'),
    report: ({ code, path, message, help }) => {
      if (SHAPE.includes(code)) mistakes.push(`${formatPath(path)}: ${message} ${help}`);
    },
  });
  return mistakes;
}

const SHAPE = ['DRA113', 'DRA114', 'DRA115'];
