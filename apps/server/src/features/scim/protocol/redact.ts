import { SCIM_LOG_REQUEST_MAX } from '@steward/contract/api/limits';

const SECRET = /password|secret|token/i;
const REMOVED = '[removed]';

/** JSON for the log, shortened and without passwords: some identity providers send them although none are stored. */
export function toLoggedBody(body: unknown): string {
  if (body === undefined || body === null) return '';
  return JSON.stringify(redact(body)).replaceAll('\\u0000', '').slice(0, SCIM_LOG_REQUEST_MAX);
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  // A PATCH operation names the attribute in its path.
  const isSecret = entries.some(([name, each]) => name.toLowerCase() === 'path' && SECRET.test(String(each)));
  return Object.fromEntries(
    entries.map(([name, each]) => [
      name,
      SECRET.test(name) || (isSecret && name.toLowerCase() === 'value') ? REMOVED : redact(each),
    ]),
  );
}
