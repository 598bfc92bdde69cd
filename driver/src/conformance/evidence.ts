import { isApiError } from '../kube/api-error.js';
import { exactJson } from '../kube/exact-json.js';
import type { Send } from '../kube/kube-client.js';

/** One request and its answer, cut to a readable length. */
export interface Exchange {
  /** `POST /apis/…?dryRun=All`. */
  readonly request: string;
  readonly as?: string;
  readonly sent?: string;
  readonly status: number;
  readonly answer: string;
  /** How often the same was asked in a row; polls are kept once, with their last answer. */
  times: number;
}

/** Keeps the last exchanges of one contract. */
export class Evidence {
  private readonly list: Exchange[] = [];

  public get exchanges(): readonly Exchange[] {
    return this.list;
  }

  public readonly wrap = (send: Send): Send => async (request) => {
    const query = Object.entries(request.query ?? {}).filter(([, value]) => value !== undefined).map(([key, value]) => `${key}=${String(value)}`);
    const line = `${request.method} ${request.path}${query.length === 0 ? '' : `?${query.join('&')}`}`;
    const keep = (status: number, answer: string): void => this.keep({
      request: line,
      ...(request.impersonate === undefined ? {} : { as: request.impersonate.user }),
      ...(request.body === undefined ? {} : { sent: cut(request.body) }),
      status,
      answer: cut(answer),
      times: 1,
    });
    try {
      const answer = await send(request);
      keep(answer.status, typeof answer.body === 'string' ? answer.body : exactJson(withoutNoise(answer.body)));
      return answer;
    } catch (error) {
      if (isApiError(error)) keep(error.status, `${error.reason}: ${error.message}`);
      throw error;
    }
  };

  private keep(exchange: Exchange): void {
    const last = this.list.at(-1);
    if (last !== undefined && last.request === exchange.request && last.request.startsWith('GET ')) {
      this.list[this.list.length - 1] = { ...exchange, times: last.times + 1 };
      return;
    }
    this.list.push(exchange);
    if (this.list.length > MOST) this.list.shift();
  }
}

const MOST = 40;
const LONGEST = 1500;

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text;
}

/** managedFields say nothing about the verdict and are longer than the rest. */
function withoutNoise(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('metadata' in body)) return body;
  const { metadata } = body;
  return typeof metadata === 'object' && metadata !== null ? { ...body, metadata: { ...metadata, managedFields: undefined } } : body;
}
