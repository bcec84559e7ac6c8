import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { z } from 'zod';
import { type Sending, send, toInject } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { createWorld } from '#testing/authorization/actors.ts';
import { prepareRequest } from '#testing/authorization/audited-changes.ts';
import { type HelpdeskApp, startHelpdeskApp } from '#testing/workspace/helpdesk.ts';
import { sumTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

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
type Fault =
  | { in: 'body' | 'field'; value: unknown; field: number }
  | { in: 'raw'; text: string }
  | { in: 'query'; name: number; value: string }
  | { in: 'path'; part: string; param: number }
  | { in: 'headers'; headers: Record<string, string> };

const fields: fc.Arbitrary<Fault> = fc.record({ in: fc.constant('field' as const), value: values, field: fc.nat(9) });
const raws: fc.Arbitrary<Fault> = fc.record({ in: fc.constant('raw' as const), text: brokenBodies });
/** Every call gets each kind of fault. */
const KINDS: fc.Arbitrary<Fault>[] = [
  ...[fields, fields, fields, fields, raws, raws],
  fc.record({ in: fc.constant('body' as const), value: values, field: fc.nat(9) }),
  fc.record({ in: fc.constant('query' as const), name: fc.nat(20), value: texts }),
  fc.record({ in: fc.constant('path' as const), part: pathParts, param: fc.nat(3) }),
  fc.record({ in: fc.constant('headers' as const), headers }),
];

/** Requests against each call, some 2,000 together. The seeds make every run the same, and each call has other faults. */
const PER_CALL = Number(process.env.HOSTILE_REQUESTS ?? KINDS.length);
const SEED = 4_2026;

/** Internals that a response must never contain, such as paths and hosts. */
const INSIDES = /node_modules|\.ts:\d|\bat \w+ \(|\/apps\/server\/|postgres|pg_|kysely|syntax error|relation "|zod/i;

let rig: HelpdeskApp;
let node: TestApp;
let generated = 0;
let served = 0;

beforeAll(async () => {
  rig = await startHelpdeskApp();
  node = rig.node;
});

afterAll(() => rig[Symbol.asyncDispose]());

interface Attack {
  fault: Fault;
  request: InjectOptions;
}

/**
 * Returns true for a request that must be refused: its body or query breaks the schema, or it names something unknown. A client
 * resolves a path with a parent, which can lead to another call.
 */
function isHopeless({ body, query }: AnyEndpoint, { fault, request }: Attack): boolean {
  if (fault.in === 'path') return !['..', '%2e%2e'].includes(fault.part);
  if (fault.in === 'headers') return false;
  if (fault.in === 'query')
    return query?.safeParse(Object.fromEntries(new URLSearchParams(String(request.query)))).success === false;
  return body !== undefined && !body.safeParse(parse(String(request.body))).success;
}

/** An empty text is no body. */
function parse(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return Symbol('no JSON');
  }
}

/** Returns whether the request was refused, as every spoilt request may be. */
async function attack({ fault, request }: Attack): Promise<boolean> {
  served += 1;
  const reply = await send(node, request);
  const shown = `${JSON.stringify(fault).slice(0, 500)}: ${reply.status} ${reply.text}`;
  assert.ok(reply.status < 500, shown);
  assert.match(String(reply.headers['content-type']), /^application\/json; charset=utf-8$/, shown);
  if (reply.status < 400) return false;
  assert.equal(ErrorBody.parse(reply.body).status_code, reply.status, shown);
  assert.doesNotMatch(reply.text, INSIDES, shown);
  return true;
}

describe('hostile requests', () => {
  for (const [at, endpoint] of endpoints.entries()) {
    test(`${endpoint.name} answers ${PER_CALL} spoilt requests with our error body or as if nothing was wrong`, async () => {
      generated += PER_CALL;
      const { request: valid } = await prepareRequest(endpoint.name, await createWorld(node));
      const before = await sumTables(node, { except: TRACES });
      const numRuns = Math.ceil(PER_CALL / KINDS.length);
      const faults = fc.sample(fc.tuple(...KINDS), { seed: SEED + at, numRuns }).flat();
      const attacks = faults.slice(0, PER_CALL).flatMap((fault) => {
        const request = spoil(endpoint, valid, fault);
        return request ? [{ fault, request }] : [];
      });
      const { hopeless = [], others = [] } = Object.groupBy(attacks, (each) =>
        isHopeless(endpoint, each) ? 'hopeless' : 'others',
      );
      for (const each of hopeless) assert.ok(await attack(each), `accepted: ${JSON.stringify(each.fault)}`);
      const assertUnchanged = async () => assert.deepEqual(await sumTables(node, { except: TRACES }), before);
      const reads = endpoint.method === 'GET';
      if (hopeless.length > 0 && !reads) await assertUnchanged();
      // A request that is right in spite of the fault may change something.
      let accepted = 0;
      for (const each of others) if (!(await attack(each))) accepted += 1;
      if (reads || (others.length > 0 && accepted === 0)) await assertUnchanged();
    });
  }

  afterAll(() => {
    // Most faults don't apply to a call without fields, so a run of some of the calls proves nothing.
    if (generated === endpoints.length * PER_CALL)
      assert.ok(served >= generated / 7, `only ${served} requests reached the app`);
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });
});

/** A valid request with the fault inserted; undefined if the fault doesn't apply to it. */
function spoil(endpoint: AnyEndpoint, valid: Sending, fault: Fault): InjectOptions | undefined {
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
