import type { ApiObject } from 'cdk8s';

/** JSON pointer to the pod template of a built-in workload; a Pod is its own template. */
export function podTemplatePointer(object: ApiObject): string {
  const pointer = POINTERS[`${object.apiGroup}/${object.kind}`];
  if (pointer !== undefined) return pointer;
  throw new Error(`[${object.node.path}] PodDevices.of() must be given a workload of Kubernetes itself, got ${object.apiVersion} ${object.kind}. `
    + "Say where its pod template is: PodDevices.at(workload, '/spec/template').");
}

const POINTERS: { readonly [groupAndKind: string]: string } = {
  'core/Pod': '',
  'core/PodTemplate': '/template',
  'core/ReplicationController': '/spec/template',
  'apps/Deployment': '/spec/template',
  'apps/DaemonSet': '/spec/template',
  'apps/ReplicaSet': '/spec/template',
  'apps/StatefulSet': '/spec/template',
  'batch/Job': '/spec/template',
  'batch/CronJob': '/spec/jobTemplate/spec/template',
};

/** Follows an RFC 6901 JSON pointer; undefined where it leads nowhere. */
export function resolvePointer(json: any, pointer: string): any {
  if (pointer === '') return json;
  return pointer.slice(1).split('/').reduce((value, step) => value?.[step.replace(/~1/g, '/').replace(/~0/g, '~')], json);
}
