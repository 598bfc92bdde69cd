import type { LabelSelector } from '../api';

/** A label selector as `kubectl -l` takes it, sorted. */
export function selectorText(selector: LabelSelector): string {
  const equal = Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const others = (selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    switch (operator) {
      case 'In': return `${key} in (${values.join(', ')})`;
      case 'NotIn': return `${key} notin (${values.join(', ')})`;
      case 'Exists': return key;
      case 'DoesNotExist': return `!${key}`;
    }
  });
  return [...equal.sort(), ...others.sort()].join(',');
}
