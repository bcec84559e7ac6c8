interface Fields {
  status_code: number;
  message: string;
  id: string;
  request_id?: string;
  retry_after?: number | undefined;
  sso_url?: string | undefined;
}

/** A call that did not succeed: the server's refusal, or `client.unreachable` when no readable answer came. */
export class Failure extends Error {
  /** HTTP status of the refusal; 0 without a readable response. */
  readonly status_code: number;
  /** Id from the contract's catalog, or `client.unreachable`. */
  readonly id: string;
  /** Identifies the line in the server's log; empty if the server did not respond. */
  readonly request_id: string;
  /** Seconds after which the call may succeed according to the server. */
  readonly retry_after: number | undefined;
  /** The URL at which single sign-on starts, if the team requires it. */
  readonly sso_url: string | undefined;

  constructor(fields: Fields) {
    super(fields.message);
    this.name = 'Failure';
    this.status_code = fields.status_code;
    this.id = fields.id;
    this.request_id = fields.request_id ?? '';
    this.retry_after = fields.retry_after;
    this.sso_url = fields.sso_url;
  }
}

/** Text of a network or parse failure without its own message. */
const API_ERROR = 'API error';

export const UNREACHABLE = 'client.unreachable';

/** `status_code` is the HTTP status, if there was one. */
export function unreachable(status_code = 0): Failure {
  return new Failure({ status_code, message: API_ERROR, id: UNREACHABLE });
}

/** An answer that isn't JSON, so it comes from a proxy in front of the server. */
export function answeredByProxy(status_code: number): Failure {
  // Trying again would be refused again, so it doesn't count as unreachable.
  if (status_code === 413)
    return new Failure({ status_code, message: `${API_ERROR}: ${TOO_LARGE}`, id: 'client.too_large' });
  const isAway = status_code >= 502 && status_code <= 504;
  const said = isAway ? "can't reach it" : 'answered instead';
  const advice = isAway ? 'Try again in a moment' : 'If this continues, tell your system administrator';
  const message = `${API_ERROR}: a proxy in front of the server ${said} (status ${status_code}). ${advice}.`;
  return new Failure({ status_code, message, id: UNREACHABLE });
}

const TOO_LARGE =
  'a proxy in front of the server refused this because it is too large (status 413). Ask your system administrator to raise the limit of the proxy.';

export function getFailureMessage(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : API_ERROR;
}
