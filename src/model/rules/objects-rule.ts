import { checkText } from './checks';
import { Place } from './place';
import { report } from './report';
import type { Rule, RuleContext } from './rule';
import { KINDS } from '../../../imports/fields';
import { formatPath } from '../manifests/manifest';
import type { Manifest } from '../manifests/manifest';
import { asObject, identityOf } from '../manifests/manifest-set';
import type { ManifestObject } from '../manifests/manifest-set';
import { dnsLabelProblem, dnsSubdomainProblem } from '../names';
import { show } from '../problem';
import { RESOURCE_GROUP } from '../target';

/** What every Kubernetes object needs, and that no two are the same one. */
export const OBJECTS_RULE: Rule = {
  codes: ['DRA103', 'DRA104', 'DRA105', 'DRA106', 'DRA107'],
  run(context) {
    for (const list of context.manifests.lists) checkList(context, list);
    const seen = new Map<string, ManifestObject>();
    for (const object of context.manifests.objects) {
      if (!checkShape(context, object)) continue;
      checkName(context, object);
      checkDuplicate(context, object, seen);
    }
  },
};

function checkList(context: RuleContext, list: Manifest): void {
  const fault = (path: (string | number)[], message: string): void => {
    context.report({ code: 'DRA104', severity: 'error', manifest: list, path, message, help: 'Write every object of the list as an item of its own.' });
  };
  const items: unknown = list.value.items;
  if (!Array.isArray(items)) {
    if (items !== null) fault(['items'], `The items of a ${String(list.value.kind)} must be a list, got ${show(items)}.`);
    return;
  }
  items.forEach((item: unknown, index) => {
    if (asObject(item) === undefined) fault(['items', index], `An item of a list must be an object, got ${show(item)}.`);
  });
}

function checkShape(context: RuleContext, object: ManifestObject): boolean {
  const place = Place.root(object);
  if (asObject(object.manifest.value) === undefined) {
    report(context, 'DRA103', place, {
      message: `A manifest must be an object with apiVersion and kind, got ${show(object.manifest.value)}.`,
      help: 'Remove the document, or write the object that it stands for.',
    });
    return false;
  }
  for (const field of ['apiVersion', 'kind'] as const) {
    if (object[field] !== '') continue;
    const given = place.at(field);
    const miswritten = Object.keys(object.value).find((key) => key !== field && key.toLowerCase() === field.toLowerCase());
    report(context, 'DRA103', given, {
      message: `A manifest must have '${field}' as a text, ${given.isSet ? `got ${show(given.value)}` : 'and this one has none'}.`,
      help: miswritten === undefined
        ? `Add ${field}, or leave the file out if it holds no Kubernetes object.`
        : `Write ${field} in place of ${miswritten}, and look at the other fields too: upper and lower case matter.`,
    });
    return false;
  }
  return true;
}

function checkName(context: RuleContext, object: ManifestObject): void {
  const metadata = Place.root(object).at('metadata');
  // Namespaces of every kind, other than names.
  for (const [field, format] of [['name', nameFormat(object)], ['namespace', dnsLabelProblem]] as const) {
    const place = metadata.at(field);
    if (place.text) checkText(context, 'DRA107', place, format);
  }
  if (object.name !== '' || metadata.at('generateName').text || !needsName(object)) return;
  report(context, 'DRA106', metadata.at('name'), {
    message: `This ${object.kind} has no metadata.name${metadata.at('name').isSet ? `, got ${show(metadata.at('name').value)}` : ''}.`,
    help: 'Give it a name as a text, in quotes if it looks like a number.',
  });
}

/** Kinds whose names are known to be DNS subdomains; roles and some others may have any name that fits into a path. */
const SUBDOMAINS: { readonly [group: string]: readonly string[] } = {
  '': ['ConfigMap', 'LimitRange', 'Pod', 'ResourceQuota', 'Secret', 'ServiceAccount'],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding',
  ],
  'apps': ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  'batch': ['CronJob', 'Job'],
  [RESOURCE_GROUP]: ['DeviceClass', 'DeviceTaintRule', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourcePoolStatusRequest', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
};

function nameFormat({ group, kind }: ManifestObject): typeof dnsLabelProblem {
  if (group === '' && kind === 'Namespace') return dnsLabelProblem;
  return Object.hasOwn(SUBDOMAINS, group) && SUBDOMAINS[group].includes(kind) ? dnsSubdomainProblem : () => undefined;
}

/** Of kinds that Kubernetes does not have itself, only those with metadata are objects: files that tools read and parameters of drivers have none. */
function needsName(object: ManifestObject): boolean {
  return !object.kind.endsWith('Review') && (Object.hasOwn(KINDS, `${object.apiVersion}/${object.kind}`) || Place.root(object).at('metadata').isSet);
}

function checkDuplicate(context: RuleContext, object: ManifestObject, seen: Map<string, ManifestObject>): void {
  const identity = identityOf(object);
  if (identity === undefined) return;
  const first = seen.get(identity);
  if (first === undefined) {
    seen.set(identity, object);
    return;
  }
  const where = first.manifest.source.name + (first.manifest.base === undefined ? '' : ` at ${formatPath(first.manifest.base)}`);
  const namespace = object.namespace === '' ? '' : ` in namespace '${object.namespace}'`;
  report(context, 'DRA105', Place.root(object).at('metadata', 'name'), {
    message: `${object.kind} '${object.name}'${namespace} stands in the input twice, first in ${where}: the one applied last wins.`,
    help: 'Remove one of the two, or give it another name.',
  });
}
