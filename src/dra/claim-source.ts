/** Which claim a pod uses: one that exists, or one made for each pod from a template. */
export class ClaimReference {
  /** All pods share the claim of this name, in the pods' namespace. */
  public static claim(name: string): ClaimReference {
    return new ClaimReference(name, undefined);
  }

  /** Each pod gets its own claim, made from the template of this name and deleted with the pod. */
  public static template(name: string): ClaimReference {
    return new ClaimReference(undefined, name);
  }

  private constructor(
    /** Name of a claim; absent when a template is named. */
    public readonly resourceClaimName: string | undefined,
    /** Name of a claim template; absent when a claim is named. */
    public readonly resourceClaimTemplateName: string | undefined,
  ) {}
}

/** Something a pod can take devices from: a claim or a claim template. */
export interface IClaimSource {
  /**
   * Namespace it lives in; pods of other namespaces cannot use it.
   * @default - not known here
   */
  readonly claimNamespace?: string;
  /**
   * Names of its requests, so that a pod can be refused a request that is not there.
   * @default - not known here
   */
  readonly claimRequestNames?: string[];
  /** The reference that goes into a pod. */
  bindClaim(): ClaimReference;
}
