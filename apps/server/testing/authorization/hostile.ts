import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { API_BASE } from '@steward/contract/api/endpoint';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { type Sending, toRequest, toSendable } from '#testing/app/call.ts';

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    '\u202e\u0000',
    "' or 1=1 --",
    '%',
    '\\',
    '<script>',
    '{{7*7}}',
    '../../etc/passwd',
    'x'.repeat(5_000),
    '\r\nSet-Cookie: a=b',
    '\u001b[31m',
    'ａ@example.test',
    '__proto__',
  ),
);

/** Any JSON value, including keys that could pollute prototypes. */
const values = fc.oneof(
  texts,
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, ['a', 'b'], { $ne: null }, { $regex: '^a' }, [[]]),
  fc.constant(JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}')),
);

const brokenBodies = fc.constantFrom(
  '',
  '{',
  '[1,',
  'null',
  '"a"',
  'NaN',
  '{"a":1}{"a":2}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"email":"a@example.test","email":["b@example.test"]}',
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  '\u0000\u0001\u0002',
  `"${'a'.repeat(1_100_000)}"`,
);

const pathParts = fc.oneof(
  texts.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%', '%zz', '%00', '..%2f..%2f', '%c0%af', 'a'.repeat(5_000), '..', '%2e%2e', '*', ':id', '%ff'),
);

const headers = fc.oneof(
  fc.record({ 'idempotency-key': fc.constantFrom('', ' ', 'ä', 'x'.repeat(5_000), '\t') }),
  fc.record({ 'x-http-method-override': fc.constantFrom('DELETE', 'PUT', 'junk') }),
  fc.record({ 'content-type': fc.constantFrom('application/jsonx', 'text/json', 'application/json/x', ';', 'a/b;c') }),
  fc.record({ accept: fc.constantFrom('text/html', '\u00ff', '*/*;q=x') }),
  fc.record({ 'user-agent': fc.constantFrom('\u001b[31m', 'x'.repeat(5_000)) }),
);

/** A request has a single defect, because a second one could hide it. */
export type Fault =
  | { in: 'body' | 'field'; value: unknown; field: number }
  | { in: 'raw'; text: string }
  | { in: 'query'; name: number; value: string }
  | { in: 'path'; part: string; param: number }
  | { in: 'headers'; headers: Record<string, string> };

export const faults: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({ in: fc.constant('body' as const), value: values, field: fc.nat(9) }),
  { arbitrary: fc.record({ in: fc.constant('field' as const), value: values, field: fc.nat(9) }), weight: 3 },
  fc.record({ in: fc.constant('raw' as const), text: brokenBodies }),
  fc.record({ in: fc.constant('query' as const), name: fc.nat(20), value: texts }),
  fc.record({ in: fc.constant('path' as const), part: pathParts, param: fc.nat(3) }),
  fc.record({ in: fc.constant('headers' as const), headers }),
);

/** A valid request with the fault inserted; undefined if the fault doesn't apply to it. */
export function spoil(endpoint: AnyEndpoint, valid: Sending, fault: Fault): InjectOptions | undefined {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  const spoiled = fault.in === 'path' ? names[fault.param % Math.max(names.length, 1)] : undefined;
  if (fault.in === 'path' && spoiled === undefined) return undefined;
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    name === spoiled && fault.in === 'path' ? fault.part : (valid.params?.[name] ?? name),
  );
  const body = toBody(endpoint, valid, fault);
  if (body === VALID) return undefined;
  const search = fault.in === 'query' ? toQuery(endpoint, fault) : '';
  return {
    method: endpoint.method,
    url: `${API_BASE}${path}${search}`,
    headers: {
      ...toRequest(endpoint, body === undefined ? valid : { ...valid, body }).headers,
      ...(fault.in === 'headers' ? fault.headers : {}),
    },
    ...(body === undefined ? {} : { body }),
  };
}

const VALID = Symbol('valid');

/** A field of the call, or one that it doesn't have. */
function toQuery({ query }: AnyEndpoint, fault: { name: number; value: string }): string {
  const { properties = {} } = query === undefined ? {} : z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const names = [...Object.keys(properties), '__proto__', 'page'];
  const name = names[fault.name % names.length] as string;
  const value = encodeURIComponent(fault.value.toWellFormed());
  // An index beyond the list repeats a name, so that a list arrives where one value is expected.
  return fault.name < names.length ? `?${name}=${value}` : `?${name}=${value}&${name}=2`;
}

function toBody(endpoint: AnyEndpoint, valid: Sending, fault: Fault): string | Buffer | undefined | typeof VALID {
  if (fault.in === 'raw') return endpoint.method === 'GET' ? VALID : fault.text;
  if (fault.in !== 'body' && fault.in !== 'field')
    return toSendable(valid.text) ?? (valid.body === undefined ? undefined : JSON.stringify(valid.body));
  if (!endpoint.body) return VALID;
  if (fault.in === 'body') return JSON.stringify(fault.value);
  // For a list, the first entry is changed.
  if (Array.isArray(valid.body) && typeof valid.body[0] === 'object') {
    const [first, ...others] = valid.body as object[];
    return JSON.stringify([withField(first ?? {}, fault), ...others]);
  }
  return JSON.stringify(withField(valid.body as object, fault));
}

function withField(whole: object, fault: { field: number; value: unknown }): object {
  const keys = Object.keys(whole);
  return { ...whole, [keys[fault.field % Math.max(keys.length, 1)] ?? '']: fault.value };
}
