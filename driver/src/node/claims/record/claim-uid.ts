/**
 * Whether a text can be the UID of a claim.
 *
 * API servers give UUIDs. A UID becomes part of file names and of CDI device names, so nothing else than a DNS label is let through.
 */
export function isClaimUid(text: string): boolean {
  return CLAIM_UID.test(text);
}

export const CLAIM_UID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
