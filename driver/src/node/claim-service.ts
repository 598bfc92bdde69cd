/** A claim as kubelet names it. */
export interface ClaimName {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** What kubelet is told about one claim. */
export type PrepareAnswer =
  | { readonly devices: readonly AnsweredDevice[] }
  | { readonly error: string };

export interface AnsweredDevice {
  /** Top-level requests. */
  readonly requestNames: readonly string[];
  readonly poolName: string;
  readonly deviceName: string;
  readonly cdiDeviceIds: readonly string[];
  readonly shareId?: string;
}

export type UnprepareAnswer = { readonly error?: string };

/** Claims of this node's devices; every uid asked for is in the answer, and no other. Nothing is ever thrown. */
export interface ClaimService {
  /** `signal` ends when kubelet gave up; what passed its commit point is finished all the same. */
  prepare(claims: readonly ClaimName[], signal: AbortSignal): Promise<ReadonlyMap<string, PrepareAnswer>>;
  unprepare(claims: readonly ClaimName[], signal: AbortSignal): Promise<ReadonlyMap<string, UnprepareAnswer>>;
}
