import type { ClusterView } from '../view';
import { referenceOf } from '../view';
import { field, objectsAt, textAt } from '../view/json-field';

/** The classes that a claim's spec names, alternatives included, sorted. */
export function classesOfClaimSpec(spec: unknown): readonly string[] {
  const names = objectsAt(spec, 'devices', 'requests').flatMap(request => [
    textAt(request, 'exactly', 'deviceClassName'),
    ...objectsAt(request, 'firstAvailable').map(one => textAt(one, 'deviceClassName')),
  ]);
  return [...new Set(names.filter(name => name !== ''))].sort();
}

/** `namespace/name` of each claim template, to the classes in it. */
export function templateClasses(view: ClusterView): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(view.all('ResourceClaimTemplate')
    .map(template => [referenceOf(template), classesOfClaimSpec(field(template.value, 'spec', 'spec'))]));
}
