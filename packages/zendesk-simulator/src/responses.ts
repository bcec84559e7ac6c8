export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** JSON as sent by Zendesk's ticketing API. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** JSON as sent by the webhooks service: without a charset. */
export function webhookJson(status: number, value: unknown): Answer {
  return json(status, value, { 'content-type': 'application/json' });
}

/** Success without a body. */
export const EMPTY: Answer = { status: 204 };

/** Zendesk has several error formats, depending on the API. */
export const notAuthenticated = () => json(401, { error: "Couldn't authenticate you" });
export const recordNotFound = () => json(404, { error: 'RecordNotFound', description: 'Not found' });
export const invalidEndpoint = () => json(404, { error: 'InvalidEndpoint', description: 'Not found' });
export const badToken = () =>
  json(401, {
    error: 'invalid_token',
    error_description: 'The access token provided is expired, revoked, malformed or invalid for other reasons.',
  });
export const forbidden = () =>
  json(403, {
    error: { title: 'Forbidden', message: 'You may not do this. Please contact the account owner for more access.' },
  });

/** The format with a list of errors. */
export function errors(status: number, ...problems: { code: string; title: string; detail?: string }[]): Answer {
  return webhookJson(status, { errors: problems });
}

export function recordInvalid(details: Record<string, { description: string; error?: string }[]>): Answer {
  return json(422, { error: 'RecordInvalid', description: 'Record validation errors', details });
}

export function helpDeskNotFound(subdomain: string): Answer {
  return json(404, {
    error: {
      title: `No help desk at ${subdomain}.zendesk.com`,
      message:
        'There is no help desk configured at this address. This means that the address is available and that ' +
        'you can claim it at http://www.zendesk.com/signup',
    },
  });
}

export function page(status: number, title: string): Answer {
  const body = `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, headers: { 'content-type': 'text/html; charset=utf-8' }, body };
}

/** A time in Zendesk's format, in whole seconds. */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
