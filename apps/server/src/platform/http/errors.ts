import { ERRORS, type ErrorBody, type ErrorId } from '@steward/contract/api/errors';
import { ZodError } from 'zod';
import { isAborted } from '#platform/database/database.ts';

/** An expected error; the error handler converts it to the API's error body. */
export class Refusal extends Error {
  readonly id: ErrorId;
  readonly status: number;
  /** Seconds after which the call may succeed. */
  readonly retryAfter: number | undefined;
  readonly extra: Pick<ErrorBody, 'sso_url'> = {};

  constructor(id: ErrorId, message?: string, retryAfter?: number) {
    super(message ?? ERRORS[id].message);
    this.id = id;
    this.status = ERRORS[id].status_code;
    this.retryAfter = retryAfter ?? RETRY_AFTER[this.status];
  }
}

/** Default of `Retry-After` by status, in seconds. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 60, 503: 2 };

/** `retryAfter` is in seconds. */
export function refuse(id: ErrorId, message?: string, retryAfter?: number): never {
  throw new Refusal(id, message, retryAfter);
}

/** Names the address of single sign-on in the error body. */
export function refuseWithoutSso(ssoUrl: string, id: 'sso.required' | 'session.reauth_sso' = 'sso.required'): never {
  throw Object.assign(new Refusal(id), { extra: { sso_url: ssoUrl } });
}

const BY_FASTIFY_STATUS: Record<number, ErrorId> = {
  404: 'request.not_found',
  405: 'request.method_not_allowed',
  408: 'request.timeout',
  413: 'request.too_large',
  414: 'request.too_large',
  415: 'request.not_json',
  431: 'request.too_large',
  503: 'server.unavailable',
};

/** PostgreSQL and socket error codes that mean the database is unavailable or no socket is left. */
const UNAVAILABLE =
  /^(?:08...|53...|57P0.|57014|55P03|25P0[23]|25006|ECONNREFUSED|ECONNRESET|ENOENT|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
const UNAVAILABLE_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable/i;

/** Converts any thrown value; only expected errors keep their message. */
export function toRefusal(thrown: unknown): Refusal {
  if (thrown instanceof Refusal) return thrown;
  if (thrown instanceof ZodError) return new Refusal('request.invalid', formatIssues(thrown));
  const { statusCode, code, message } = (thrown ?? {}) as { statusCode?: number; code?: string; message?: string };
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode !== 500) {
    return new Refusal(BY_FASTIFY_STATUS[statusCode] ?? 'request.invalid');
  }
  if (code === '22021' || code === '22P05') return new Refusal('request.invalid');
  if (isAborted(thrown)) return new Refusal('record.conflict');
  if ((code && UNAVAILABLE.test(code)) || UNAVAILABLE_TEXT.test(message ?? ''))
    return new Refusal('server.unavailable');
  return new Refusal('server.error');
}

/** Formats up to five validation issues as `field: reason`. */
export function formatIssues(error: ZodError): string {
  const lines = error.issues.slice(0, 5).map((issue) => {
    const field = issue.path.join('.');
    const reason = issue.code === 'invalid_type' ? wrongType(issue) : issue.message;
    return field ? `${field}: ${reason}` : reason;
  });
  return lines.join('; ').slice(0, 500);
}

function wrongType(issue: { expected?: string; message: string }): string {
  if (/received undefined/.test(issue.message)) return 'is required';
  // A message defined by the schema.
  if (!issue.message.startsWith('Invalid input')) return issue.message;
  return `must be ${issue.expected === 'array' ? 'a list' : issue.expected === 'object' ? 'an object' : `a ${issue.expected}`}`;
}

export function errorBody(refusal: Refusal, requestId: string): ErrorBody {
  return {
    status_code: refusal.status,
    message: refusal.message,
    id: refusal.id,
    request_id: requestId,
    ...refusal.extra,
  };
}
