import { SCIM_LOG_REQUEST_MAX } from '@steward/contract/api/limits';

const SECRET = /password|secret|token/i;
const REMOVED = '[removed]';

/** JSON for the log, shortened and without passwords: some identity providers send them although none are stored. */
export function toLoggedBody(body: unknown): string {
  if (body === undefined || body === null) return '';
  return JSON.stringify(createRedactor()(body)).replaceAll('\\u0000', '').slice(0, SCIM_LOG_REQUEST_MAX);
}

/** Reads no more values than fit into the log, since each takes a character at least. */
function createRedactor(): (value: unknown) => unknown {
  let left = SCIM_LOG_REQUEST_MAX;
  return function redact(value: unknown): unknown {
    left -= 1;
    if (Array.isArray(value)) return value.slice(0, Math.max(0, left)).map(redact);
    if (typeof value === 'string') return value.slice(0, SCIM_LOG_REQUEST_MAX);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).slice(0, Math.max(0, left));
    // A PATCH operation names the attribute in its path.
    const isSecret = entries.some(([name, each]) => name.toLowerCase() === 'path' && SECRET.test(String(each)));
    return Object.fromEntries(
      entries.map(([name, each]) => [
        name,
        SECRET.test(name) || (isSecret && name.toLowerCase() === 'value') ? REMOVED : redact(each),
      ]),
    );
  };
}
