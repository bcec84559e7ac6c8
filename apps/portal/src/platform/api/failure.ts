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
  /** HTTP status of the refusal; 0 when there was no readable answer. */
  readonly status_code: number;
  /** Id from the contract's catalogue, or `client.unreachable`. */
  readonly id: string;
  /** Finds the line in the server's log; empty when the server did not answer. */
  readonly request_id: string;
  /** Seconds after which the server said the call may succeed; undefined when it did not say. */
  readonly retry_after: number | undefined;
  /** Where the single sign-on of the team begins, if the team requires it. */
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

/** Text of a network or parse failure that brings no message of its own. */
const API_ERROR = 'API error';

/** Id of a failure without a readable answer. */
export const UNREACHABLE = 'client.unreachable';

/** The failure for a call that brought no readable answer; `status_code` is what the HTTP layer said, if anything. */
export function unreachable(status_code = 0): Failure {
  return new Failure({ status_code, message: API_ERROR, id: UNREACHABLE });
}

/** Whatever was thrown, as text for a person. */
export function getFailureMessage(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : API_ERROR;
}
