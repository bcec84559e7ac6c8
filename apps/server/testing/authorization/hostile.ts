import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { z } from 'zod';
import { type Sending, toInject } from '#testing/app/call.ts';

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
  if (fault.in === 'headers') return toInject(endpoint, { ...valid, headers: { ...valid.headers, ...fault.headers } });
  if (fault.in === 'query') return { ...toInject(endpoint, valid), query: toQuery(endpoint, valid, fault) };
  if (fault.in === 'path') return spoilPath(endpoint, valid, fault);
  if (fault.in === 'raw')
    return endpoint.method === 'GET' ? undefined : toInject(endpoint, { ...valid, body: undefined, text: fault.text });
  if (!endpoint.body) return undefined;
  const body = fault.in === 'body' ? fault.value : withField(valid.body, fault);
  return toInject(endpoint, { ...valid, body });
}

/** The part of the fault is sent as it is, without an encoding. */
function spoilPath(endpoint: AnyEndpoint, valid: Sending, { part, param }: { part: string; param: number }) {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  if (names.length === 0) return undefined;
  const mark = 'spoilt-part';
  const options = toInject(endpoint, {
    ...valid,
    params: { ...valid.params, [names[param % names.length] ?? '']: mark },
  });
  return { ...options, url: options.url.replace(mark, () => part) };
}

/** A field of the call, or one that it doesn't have. */
function toQuery({ query }: AnyEndpoint, valid: Sending, fault: { name: number; value: string }): string {
  const { properties = {} } = query === undefined ? {} : z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  const names = [...Object.keys(properties), '__proto__', 'page'];
  const name = names[fault.name % names.length] as string;
  const search = new URLSearchParams(valid.query);
  search.set(name, fault.value);
  // An index beyond the list repeats a name, so that a list arrives where one value is expected.
  if (fault.name >= names.length) search.append(name, '2');
  return search.toString();
}

/** For a list, the first entry is changed. */
function withField(whole: unknown, fault: { field: number; value: unknown }): unknown {
  if (Array.isArray(whole)) return [withField(whole[0] ?? {}, fault), ...whole.slice(1)];
  const keys = Object.keys(whole ?? {});
  return { ...(whole ?? {}), [keys[fault.field % Math.max(keys.length, 1)] ?? '']: fault.value };
}
