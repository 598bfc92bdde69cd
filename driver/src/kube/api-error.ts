/** One thing wrong with a request, as `status.details.causes` names it. */
export interface Cause {
  readonly field: string;
  readonly reason: string;
  readonly message: string;
}

/** An answer of the API server that is no success. */
export class ApiError extends Error {
  public override readonly name = 'ApiError';

  public constructor(
    message: string,
    /** HTTP status, or the code of a Status that a watch sent. */
    public readonly status: number,
    /** `NotFound`, `Conflict`, `Invalid`, `Forbidden`, `Expired` …; `Unknown` when the server gave none. */
    public readonly reason: string,
    public readonly causes: readonly Cause[] = [],
    /** Seconds to wait before the next attempt, when the server asked for a pause. */
    public readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  /** Whether the same request may succeed later as it is. */
  public get isRetryable(): boolean {
    return this.status === 429 || this.status >= 500;
  }
}

/** No answer at all: no route, no listener, no trust, or no answer in time. */
export class UnreachableError extends Error {
  public override readonly name = 'UnreachableError';
}

/** A watch said nothing for so long that the other side must be gone, while the connection looks open. */
export class SilentWatchError extends Error {
  public override readonly name = 'SilentWatchError';
}

/** The error for an answer with this status and body. */
export function apiError(status: number, body: unknown, retryAfter?: string): ApiError {
  const answer = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly message?: unknown;
    readonly reason?: unknown;
    readonly details?: { readonly causes?: readonly Partial<Cause>[]; readonly retryAfterSeconds?: number };
  };
  const causes = (Array.isArray(answer.details?.causes) ? answer.details.causes : []).map(({ field, reason, message }) => ({
    field: field ?? '', reason: reason ?? '', message: message ?? '',
  }));
  const seconds = Number(retryAfter ?? answer.details?.retryAfterSeconds);
  const text = typeof answer.message === 'string' && answer.message !== '' ? answer.message : bodyText(body);
  return new ApiError(
    text === '' ? `the server answered ${status} without a message` : text,
    status,
    typeof answer.reason === 'string' && answer.reason !== '' ? answer.reason : REASONS[status] ?? 'Unknown',
    causes,
    Number.isFinite(seconds) ? seconds : undefined,
  );
}

export function isApiError(error: unknown, reason?: string): error is ApiError {
  return error instanceof ApiError && (reason === undefined || error.reason === reason);
}

/** Proxies answer with text. */
function bodyText(body: unknown): string {
  return typeof body === 'string' ? body.trim().slice(0, 500) : '';
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest', 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict', 410: 'Gone', 422: 'Invalid', 429: 'TooManyRequests',
};
