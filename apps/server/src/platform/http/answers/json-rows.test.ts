import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { createJsonRows, createJsonText, type JsonRow, toBody } from './json-rows.ts';
import { createResponseSerializer } from './response-serializer.ts';

const types: string[] = [];
const raw = new EventEmitter().setMaxListeners(0);
const reply = { type: (type: string) => types.push(type), raw } as unknown as FastifyReply;

/** What a client reads. */
function received(answer: unknown): unknown {
  const body = toBody(answer, reply);
  assert.ok(Buffer.isBuffer(body), 'the answer is sent as bytes');
  return JSON.parse(body.toString('utf8'));
}

const toRows = (records: readonly object[], more: (record: object) => string = () => ''): JsonRow[] =>
  records.map((record) => ({ json: JSON.stringify(record), more: more(record) }));

describe('an answer with records that are JSON already', () => {
  test('is what the records and the other fields would be as objects', () => {
    for (const records of [[], [{ id: '1' }], [{ id: '1' }, { id: '2' }, { id: '3' }]]) {
      const answer = { records: createJsonRows(toRows(records)), last_key: null, total: 3, reset: undefined };
      assert.deepEqual(received(answer), { records, last_key: null, total: 3 });
    }
    assert.equal(types[0], 'application/json; charset=utf-8');
  });

  test('has the fields that are added to each record', () => {
    const records = [{ id: '1' }, { id: '2' }, { id: '3' }];
    const rows = toRows(records, (record) => (record === records[1] ? '' : '"roles":["a"],"deep":{"x":null}'));
    assert.deepEqual(received({ records: createJsonRows(rows) }), {
      records: [
        { id: '1', roles: ['a'], deep: { x: null } },
        { id: '2' },
        { id: '3', roles: ['a'], deep: { x: null } },
      ],
    });
  });

  test('keeps every character, however many bytes it takes and however long the text is', () => {
    for (const text of [
      '',
      '"\\\n\t\u0001\u2028',
      'ñandú',
      '漢字かな',
      '👩‍👩‍👧 😀',
      '\ud83d\ude00'.repeat(5_000),
      '漢'.repeat(9_000),
    ]) {
      const records = Array.from({ length: 30 }, (_, at) => ({ [`${text} ${at}`]: text, at }));
      const rows = toRows(records, () => `"more":${JSON.stringify(text)}`);
      assert.deepEqual(received({ last_key: text, records: createJsonRows(rows) }), {
        last_key: text,
        records: records.map((record) => ({ ...record, more: text })),
      });
    }
  });

  test('is not overwritten by later ones before it was sent', () => {
    const write = (id: string) => toBody({ records: createJsonRows(toRows([{ id }])) }, reply) as Buffer;
    raw.emit('close');
    // More than there are spare buffers.
    const bodies = [...'abcdefgh'].map(write);
    assert.deepEqual(
      bodies.map(String),
      [...'abcdefgh'].map((id) => `{"records":[{"id":"${id}"}]}`),
    );
    raw.emit('close');
    assert.equal(String(write('i')), '{"records":[{"id":"i"}]}');
    assert.ok(bodies.map(String).includes('{"records":[{"id":"i"}]}'), 'and is used again afterwards');
  });

  test('leaves other answers to Fastify', () => {
    for (const answer of [undefined, null, 'text', { records: [{ id: '1' }] }])
      assert.equal(toBody(answer, reply), answer);
  });
});

describe('the schema of such an answer', () => {
  const serialize = createResponseSerializer(
    z.object({ records: z.array(z.object({ id: z.string(), note: z.string() })) }),
  );
  const answer = (record: object, more: string) => ({ records: createJsonRows(toRows([record], () => more)) });

  test('is that of each record with its added fields', () => {
    assert.deepEqual(received(serialize(answer({ id: '1' }, '"note":"n"'))), { records: [{ id: '1', note: 'n' }] });
    assert.deepEqual(received(serialize({ records: createJsonRows([]) })), { records: [] });
  });

  test('refuses a field that it lacks, a missing one, and an object where a value belongs', () => {
    assert.throws(() => serialize(answer({ id: '1', note: 'n', password_hash: 'secret' }, '')), /lacks/);
    assert.throws(() => serialize(answer({ id: '1', note: 'n' }, '"token":"secret"')), /lacks/);
    assert.throws(() => serialize(answer({ id: '1' }, '')), /lacks note/);
    assert.throws(() => serialize(answer({ id: '1', note: { secret: 1 } }, '')), /an object where/);
  });

  test('is checked for each schema until a format of records was found to have its fields', () => {
    const schema = z.object({ records: z.array(z.object({ id: z.string() })) });
    const [strip, other] = [createResponseSerializer(schema), createResponseSerializer(schema)];
    const page = (record: object, format?: object) => {
      const first = JSON.stringify(record);
      return { records: createJsonText(Buffer.from(first), { first, format, release: () => undefined }) };
    };
    const [good, secret, format] = [{ id: '1' }, { id: '1', password_hash: 'secret' }, {}];
    assert.throws(() => strip(page(secret, format)), /fields that its schema lacks/);
    assert.throws(() => strip(page(secret, format)), /fields that its schema lacks/);
    assert.deepEqual(received(strip(page(good, format))), { records: [good] });
    assert.deepEqual(received(strip(page({ id: '2' }, format))), { records: [{ id: '2' }] });
    assert.throws(() => other(page(secret, format)), /fields that its schema lacks/);
    for (const another of [undefined, {}])
      assert.throws(() => strip(page(secret, another)), /fields that its schema lacks/);
  });
});
