import { MINORS } from '../../../imports/fields';
import type { Minor } from '../../../imports/fields';
import type { Problem } from '../problem';

export { MINORS };
export type { Minor };

/** The first minor that serves `resource.k8s.io/v1`; the target when none is named. */
export const OLDEST: Minor = '1.34';

/** The last known minor. */
export const NEWEST: Minor = '1.37';

/** Negative when `a` is older than `b`, positive when newer, 0 when equal. */
export function compareMinors(a: Minor, b: Minor): number {
  return MINORS.indexOf(a) - MINORS.indexOf(b);
}

/**
 * The minor that a version names.
 *
 * Patch levels and vendor suffixes count for nothing: `1.36`, `v1.36`, `1.36.3` and `v1.36.3-gke.100` are the same.
 */
export function parseMinor(text: string): Minor | Problem {
  const match = typeof text === 'string' ? VERSION.exec(text) : null;
  if (match === null) {
    return { rule: 'must be a Kubernetes version', help: `Write it as a string such as '${NEWEST}' or 'v${NEWEST}.2'.` };
  }
  const known = MINORS.find(minor => minor === `${Number(match[1])}.${Number(match[2])}`);
  if (known !== undefined) {
    return known;
  }
  if (Number(match[1]) < 1 || (Number(match[1]) === 1 && Number(match[2]) < Number(OLDEST.slice(2)))) {
    return {
      rule: `must be Kubernetes ${OLDEST} or later`,
      help: `API servers serve resource.k8s.io/v1 from ${OLDEST} on: upgrade the cluster before it is targeted.`,
    };
  }
  return {
    rule: `must be Kubernetes ${NEWEST} or earlier`,
    help: `Later fields and feature gates are not known here: use ${NEWEST}, and name newer fields by a raw escape.`,
  };
}

const VERSION = /^v?(\d{1,5})\.(\d{1,5})(?:\.\d+)?(?:[-+][0-9A-Za-z.+-]+)?$/;
