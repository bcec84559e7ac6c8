import assert from 'node:assert/strict';
import { BLOB_MAX, MESSAGE_MAX, RECORD_TEXT_MAX } from '@steward/contract/api/limits';
import { ContentKind, type ContentLine } from '@steward/contract/content';
import { describe, test } from 'vitest';
import { findUnknownReference, getClock, getSize, readLine } from './content.rules.ts';

const ID = 'a'.repeat(26);
const line = (fields: object) => ({ kind: 'note', external_id: 'x1', created_at: 1_000, ...fields });
const ALL = { kinds: new Set<string>(ContentKind.options), speaksForUsers: true };
const parse = (text: string) => readLine(text, ALL);
const read = (fields: object) => parse(JSON.stringify(line(fields)));

describe('a rejected line', () => {
  const MESSAGE = { kind: 'message', channel_id: ID, text: 'Hello' };
  const CASES: [string, object, string][] = [
    ['of no kind', { kind: undefined }, 'kind: is not a kind of content'],
    ['of a kind that does not exist', { kind: 'poem' }, 'kind: is not a kind of content'],
    ['without an external id', { external_id: '' }, 'external_id: is required'],
    ['with a long external id', { external_id: 'x'.repeat(201) }, 'external_id: must have at most 200 characters'],
    ['without a moment', { created_at: undefined }, 'created_at: is required'],
    ['from before 1970', { created_at: -1 }, 'created_at: is before 1970'],
    ['from after the year 9999', { created_at: 253_402_300_800_000 }, 'created_at: is too late'],
    ['with a part of a millisecond', { created_at: 1.5 }, 'created_at: must be whole milliseconds since 1970'],
    ['with a moment that is a text', { archived_at: '5' }, 'archived_at: must be whole milliseconds since 1970'],
    ['with an id that is none', { user_id: 'me' }, 'user_id: is not an id'],
    ['of a message without a channel', { ...MESSAGE, channel_id: null }, 'channel_id: is required'],
    ['of a message without a text', { ...MESSAGE, text: undefined }, 'text: is required'],
    ['of a message with an empty text', { ...MESSAGE, text: '' }, 'text: is required'],
    [
      'of a long message',
      { ...MESSAGE, text: 'x'.repeat(MESSAGE_MAX + 1) },
      'text: must have at most 16383 characters',
    ],
    ['of a long note', { text: 'x'.repeat(RECORD_TEXT_MAX + 1) }, 'text: must have at most 65535 characters'],
    ['with a NUL', { text: 'a\0b' }, 'text: contains a character that cannot be stored'],
    ['with an unpaired surrogate', { title: '\ud800' }, 'title: contains a character that cannot be stored'],
    ['of a file without a name', { kind: 'file' }, 'name: is required'],
    ['of a file with an empty name', { kind: 'file', name: '' }, 'name: is required'],
    ['with a size below nothing', { size: -1 }, 'size: must be a whole number of bytes'],
    ['with a blob that is not base64', { data: 'QUJ' }, 'data: is not base64'],
    ['with a blob in the alphabet of URLs', { data: '_-==' }, 'data: is not base64'],
    [
      'with two mistakes',
      { kind: 'poem', created_at: -1 },
      'kind: is not a kind of content; created_at: is before 1970',
    ],
  ];
  for (const [name, fields, error] of CASES)
    test(`${name} says so`, () => {
      const { external_id } = line(fields) as { external_id: string };
      assert.deepEqual(read(fields), { external_id: external_id.slice(0, 200), error });
    });

  test('is reported with its id if that can be read', () => {
    assert.deepEqual(parse('{"external_id":'), { external_id: '', error: 'is not JSON' });
    const excess = (text: string) => (parse(`{"external_id":"a","unknown":${text}}`) as { error: string }).error;
    assert.equal(excess('['.repeat(100_000)), 'The JSON is nested more than 64 levels deep.');
    assert.equal(excess(`[${'0,'.repeat(100_000)}0]`), 'The JSON has more than 1000 values.');
    for (const text of ['null', '7', '"a"', '[]'])
      assert.deepEqual(parse(text), { external_id: '', error: 'is not a JSON object' });
    assert.deepEqual(parse('{"external_id":7}'), {
      external_id: '',
      error: 'kind: is not a kind of content; external_id: must be a string; created_at: is required',
    });
  });

  test('with __proto__ doesn’t pollute prototypes', () => {
    const text = JSON.stringify(line({})).replace('{', '{"__proto__":{"admin":true},');
    assert.deepEqual(parse(text), { external_id: 'x1', error: '__proto__: is not allowed' });
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });

  test('with a blob that is too large doesn’t exhaust the stack', () => {
    const data = (bytes: number) => Buffer.alloc(bytes).toString('base64');
    assert.ok('item' in read({ data: data(BLOB_MAX) }));
    assert.deepEqual(read({ data: data(BLOB_MAX + 1) }), {
      external_id: 'x1',
      error: `data: must have at most ${BLOB_MAX} bytes`,
    });
    assert.deepEqual(read({ data: `${data(BLOB_MAX).slice(0, -4)}!!!!` }), {
      external_id: 'x1',
      error: 'data: is not base64',
    });
  });
});

describe('a token', () => {
  const note = JSON.stringify(line({ user_id: ID }));

  test('of other kinds gets an error', () => {
    const rights = { ...ALL, kinds: new Set(['task', 'file']) };
    assert.deepEqual(readLine(note, rights), { external_id: 'x1', error: 'kind: is not allowed for this token' });
    assert.ok('item' in readLine(JSON.stringify(line({ kind: 'task' })), rights));
  });

  test('that doesn’t speak for users has the user ignored, whatever it is', () => {
    for (const user_id of [ID, 'me', 7, {}]) {
      const read = readLine(JSON.stringify(line({ user_id })), { ...ALL, speaksForUsers: false });
      assert.ok('item' in read && read.item.user_id === null);
    }
    const read = parse(note);
    assert.ok('item' in read && read.item.user_id === ID);
  });
});

describe('an accepted line', () => {
  test('may have unknown fields, and null for absent ones', () => {
    const fields = { text: null, user_id: null, size: null, data: null, archived_at: null, something: { else: [1] } };
    assert.ok('item' in read(fields));
  });

  test('with a repeated field has its last value', () => {
    const read = parse('{"kind":"note","external_id":"a","created_at":1,"title":"first","title":"last"}');
    assert.ok('item' in read && read.item.title === 'last');
  });
});

const CLOCKS: [ContentKind, Partial<ContentLine>, number | null][] = [
  ['note', {}, null],
  ['note', { archived_at: 5 }, 5],
  ['note', { archived_at: null, ended_at: 7, completed_at: 8 }, null],
  ['task', {}, null],
  ['task', { completed_at: 5, archived_at: 6 }, 5],
  ['meeting', {}, null],
  ['meeting', { ended_at: 0 }, 0],
  ['meeting_recording', { ended_at: 5 }, 5],
  ['meeting_recording', {}, null],
  ['call', {}, 1_000],
  ['call', { ended_at: 5 }, 5],
  ['call', { ended_at: 0 }, 0],
  ['call_recording', {}, 1_000],
  ['voicemail', { ended_at: 5 }, 5],
  ['communication', { completed_at: 5 }, 1_000],
  ['message', { ended_at: 5 }, 1_000],
  ['file', { ended_at: 5 }, 1_000],
];

for (const [kind, fields, clock] of CLOCKS)
  test(`the clock of a ${kind} with ${JSON.stringify(fields)} is ${clock}`, () => {
    assert.equal(getClock({ ...line({ kind }), ...fields } as ContentLine), clock);
  });

test('the size of an item is that of its blob, or else the given size, or else that of its text', () => {
  const sized = (fields: object) => getSize(line(fields) as unknown as ContentLine);
  assert.equal(sized({ data: 'QUI=', size: 99, text: 'abc' }), 2);
  assert.equal(sized({ data: '', size: 99, text: 'abc' }), 99);
  assert.equal(sized({ size: 0, text: 'abc' }), 0);
  assert.equal(sized({ text: 'äb' }), 3);
  assert.equal(sized({}), 0);
  assert.equal(sized({ kind: 'message', text: 'äb', size: 99, data: 'QUI=' }), 3);
});

test('a channel of another team gets the same error as an unknown one', () => {
  const around = { channels: new Map([[ID, 'O']]), members: new Set([ID]) };
  const findError = (fields: object) => findUnknownReference(line(fields) as unknown as ContentLine, around);
  const other = 'b'.repeat(26);
  assert.equal(findError({ kind: 'message', channel_id: ID, user_id: ID }), undefined);
  assert.equal(findError({ kind: 'message', channel_id: other }), 'channel_id: is not a channel of this team');
  assert.equal(findError({ kind: 'file', channel_id: other }), 'channel_id: is not a channel of this team');
  assert.equal(findError({ kind: 'file' }), undefined);
  assert.equal(findError({ kind: 'note', channel_id: other }), undefined, 'a note is in no channel');
  assert.equal(findError({ user_id: other }), 'user_id: is not a member of this team');
});
