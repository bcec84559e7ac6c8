export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** Ends a call with Mattermost's error object. */
export class Refusal extends Error {
  readonly status: number;
  readonly id: string;

  constructor(status: number, id: string) {
    super(id);
    this.status = status;
    this.id = id;
  }
}

export function refuse(status: number, id: string): never {
  throw new Refusal(status, id);
}

export const forbid = () => refuse(403, 'api.context.permissions.app_error');

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export const done = () => json(200, { status: 'OK' });

export function errorBody(id: string, status: number, requestId: string) {
  return { id, message: `The call failed: ${id}`, detailed_error: '', request_id: requestId, status_code: status };
}
