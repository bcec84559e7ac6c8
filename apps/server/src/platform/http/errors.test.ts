import assert from 'node:assert/strict';
import { test } from 'vitest';
import { z } from 'zod';
import { errorBody, Refusal, refuse, toRefusal } from './errors.ts';

const coded = (code: string, message = 'inner words') => Object.assign(new Error(message), { code });

test('an expected error keeps its message', () => {
  assert.throws(
    () => refuse('record.not_found'),
    (error: Refusal) => error.status === 404,
  );
  const refusal = toRefusal(new Refusal('record.conflict', 'in other words'));
  assert.deepEqual(errorBody(refusal, 'r1'), {
    status_code: 409,
    message: 'in other words',
    id: 'record.conflict',
    request_id: 'r1',
  });
});

test("an unavailable database is 503, a serialization conflict 409, text it can't store 400", () => {
  for (const code of ['ECONNREFUSED', 'ENOENT', '57P01', '57P03', '53300', '08006', '57014', '55P03', '25P03'])
    assert.equal(toRefusal(coded(code)).id, 'server.unavailable', code);
  for (const message of [
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Query read timeout',
  ])
    assert.equal(toRefusal(new Error(message)).id, 'server.unavailable', message);
  for (const code of ['40001', '40P01']) assert.equal(toRefusal(coded(code)).id, 'record.conflict');
  for (const code of ['22021', '22P05']) assert.equal(toRefusal(coded(code)).id, 'request.invalid');
});

test('everything else is 500 with a fixed message', () => {
  for (const thrown of [
    new Error('secret words'),
    coded('23505', 'secret words'),
    'secret words',
    null,
    undefined,
    7,
    { statusCode: 500, message: 'secret words' },
  ]) {
    const body = errorBody(toRefusal(thrown), 'r');
    assert.deepEqual([body.status_code, body.id], [500, 'server.error']);
    assert.doesNotMatch(body.message, /secret/);
  }
});

test('an error of the framework keeps its status and gets our message', () => {
  for (const [statusCode, id] of [
    [400, 'request.invalid'],
    [404, 'request.not_found'],
    [408, 'request.timeout'],
    [413, 'request.too_large'],
    [414, 'request.too_large'],
    [415, 'request.not_json'],
    [431, 'request.too_large'],
    [418, 'request.invalid'],
    [503, 'server.unavailable'],
  ] as const) {
    const refusal = toRefusal({ statusCode, message: 'Unexpected token in JSON at position 7 of /srv/file.ts' });
    assert.equal(refusal.id, id);
    assert.doesNotMatch(refusal.message, /position/);
  }
});

test('the error for an invalid body lists up to five fields and reasons', () => {
  const schema = z.object({
    a: z.string(),
    b: z.array(z.int()),
    c: z.object({}),
    d: z.literal(1),
    e: z.int(),
    f: z.int(),
  });
  const parsed = schema.safeParse({ a: 1, b: 'x', c: [], d: 2 });
  assert.ok(!parsed.success);
  const { message } = toRefusal(parsed.error);
  assert.match(message, /^a: must be a string; b: must be a list; c: must be an object; d: .+; e: is required$/);
  const long = z
    .object({ a: z.string() })
    .strict()
    .safeParse(Object.fromEntries([['x'.repeat(5_000), 1]]));
  assert.ok(!long.success && toRefusal(long.error).message.length <= 500);
});
