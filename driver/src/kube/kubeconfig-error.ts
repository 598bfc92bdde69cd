/** Why no connection or credential could be made out of a kubeconfig: what is wrong and the way out. */
export class KubeconfigError extends Error {
  public override readonly name = 'KubeconfigError';
}
