import { isApiError } from '../../kube/api-error.js';
import type { KubeClient } from '../../kube/kube-client.js';

/** The user that the server takes us for; undefined where it does not say. */
export async function whoAmI(client: KubeClient): Promise<string | undefined> {
  try {
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
    const answer = await client.raw({ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body });
    const { status } = answer.body as { readonly status?: { readonly userInfo?: { readonly username?: string } } };
    return status?.userInfo?.username;
  } catch (error) {
    if (isApiError(error)) return undefined;
    throw error;
  }
}
