import type { ClassesByTemplate } from '../api';
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

/** The classes in each claim template. */
export function templateClasses(view: ClusterView): ClassesByTemplate {
  return Object.fromEntries(view.all('ResourceClaimTemplate')
    .map(template => [referenceOf(template), classesOfClaimSpec(field(template.value, 'spec', 'spec'))]));
}
