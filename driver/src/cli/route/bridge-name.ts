import { FIELD_MANAGER } from 'cdk8s-dra/model';

import { isApiError, UnreachableError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';
import type { KubeObject } from '../../kube/object.js';
import { DEVICE_CLASSES } from '../../kube/resource.js';

/**
 * Puts the name of a device plugin's resource on a class, or takes it off; why it could not, else undefined.
 *
 * By server-side apply without force: whoever else writes the field would write it again.
 */
export async function writeBridgeName(
  client: KubeClient, { name, uid }: { readonly name: string; readonly uid: string }, resource?: string,
): Promise<string | undefined> {
  // The uid keeps an apply from making a class without selectors, which offers every device, where the class has just been deleted.
  const apply: KubeObject = {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'DeviceClass',
    metadata: { name, uid },
    spec: resource === undefined ? {} : { extendedResourceName: resource },
  };
  try {
    const written = await client.patch(DEVICE_CLASSES, { name }, { apply, fieldManager: FIELD_MANAGER });
    const left = (written.spec as { readonly extendedResourceName?: string } | undefined)?.extendedResourceName;
    if (left === resource) return undefined;
    return left === undefined
      ? 'the server does not keep spec.extendedResourceName: it needs Kubernetes 1.36, or the gate DRAExtendedResource'
      : `it still carries ${left}, written by ${writerOf(written)}. Take spec.extendedResourceName out where that comes from`;
  } catch (error) {
    if (!isApiError(error) && !(error instanceof UnreachableError)) throw error;
    return error.message;
  }
}

/** Managers of the name, as the server has noted them. */
function writerOf({ metadata }: KubeObject): string {
  const entries = (metadata?.managedFields ?? []) as readonly { readonly manager?: string; readonly fieldsV1?: { readonly 'f:spec'?: object } }[];
  const managers = entries.filter(({ manager, fieldsV1 }) => manager !== FIELD_MANAGER && fieldsV1?.['f:spec'] !== undefined && 'f:extendedResourceName' in fieldsV1['f:spec']);
  return managers.length === 0 ? 'somebody else' : managers.map(({ manager = 'an unnamed manager' }) => manager).join(' and ');
}
