/** Why a path of the host gives nothing. */
export type HostFileReason =
  /** It is not there, or the kernel has no value for it now. */
  | 'absent'
  /** It is there and reading or writing it fails. */
  | 'refused'
  /** It leads out of the root, or in a circle. */
  | 'outside'
  /** It is no plain file, or no folder. */
  | 'wrong-kind'
  | 'too-large'
  | 'not-text'
  /** The kernel did not answer in time. */
  | 'hangs';

/** A path of the host that could not be used; the path is the one inside the root. */
export class HostFileError extends Error {
  public override readonly name = 'HostFileError';

  public constructor(public readonly reason: HostFileReason, public readonly path: string, what: string, cause?: unknown) {
    super(`${path} ${what}`, cause === undefined ? undefined : { cause });
  }
}

/** What the system said about a path. */
export function hostFileError(path: string, error: unknown): HostFileError {
  if (error instanceof HostFileError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'an unknown error';
  if (ABSENT.has(code)) return new HostFileError('absent', path, 'is not there', error);
  if (code === 'ELOOP') return new HostFileError('outside', path, 'leads in a circle', error);
  return new HostFileError('refused', path, `fails with ${code}`, error);
}

/**
 * Attributes of sysfs that do not apply now answer with one of these: speed of a port without link (EINVAL), compat_id of a region
 * without one (ENOENT), anything of a device that went away (ENODEV, ENXIO).
 */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENODEV', 'ENXIO', 'EINVAL', 'EOPNOTSUPP', 'ENOTSUP', 'ENODATA']);
