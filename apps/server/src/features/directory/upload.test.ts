import assert from 'node:assert/strict';
import { listEntries, uploadEntries } from '@steward/contract/directory';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { entries, entry, row } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { type EntryRow, findEntries } from './directory.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 3 });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const upload = (rows: unknown, query: Record<string, string> = {}, headers = {}) =>
  call(node, uploadEntries, { as: ours.admin, params: { teamId: ours.id }, query, body: rows, headers });
const preview = (rows: unknown) => upload(rows, { preview: '1' });
const stored = async (id: string) => (await findEntries(node.db, ours.id, [id]))[0];
const find = async (search: string): Promise<EntryRow[]> =>
  (await call(node, listEntries, { as: ours.admin, params: { teamId: ours.id }, query: { search } })).body.records;

describe('an upload', () => {
  test('adds rows without an id, changes rows with one, and leaves alone what is the same', async () => {
    const [one, two] = await entries(node, ours.id, [
      { name: 'Will change', sms: '12' },
      { name: 'Will stay', phone_number: '34' },
    ]);
    const reply = await upload([
      row({ name: ' Added one ', email: 'Added@Example.com' }),
      row({ id: one?.id ?? '', name: 'Has changed', sms: '13' }),
      row({ id: two?.id ?? '', name: 'Will stay', phone_number: '34' }),
    ]);
    assert.deepEqual(reply.body, { status_code: 200, created: 1, changed: 1, unchanged: 1, errors: [] });
    assert.equal((await find('added one'))[0]?.email, 'added@example.com');
    assert.deepEqual(await stored(one?.id ?? ''), { ...one, name: 'Has changed', sms: '13' });
    assert.deepEqual(await stored(two?.id ?? ''), two);
  });

  test('stores the good rows and gives every wrong one back as it was sent, in its order, with the reason', async () => {
    const mine = await entry(node, ours.id, { name: 'Mine' });
    const foreign = await entry(node, (await createTeamWithMembers(node)).id, { name: 'Foreign' });
    const unknown = 'There is no entry with this Id in the directory. Leave Id empty to add a new entry.';
    const wrong: [unknown, string][] = [
      [row({ id: foreign.id, name: 'x' }), unknown],
      [row({ id: newId(), name: 'x' }), unknown],
      [row({ id: "' or 1=1", name: 'x' }), unknown],
      [row({ id: '__proto__', name: 'x' }), unknown],
      [
        row({ id: mine.id, name: 'x' }),
        'Duplicate Id: already used in an earlier row. Leave Id empty to add a new entry.',
      ],
      [row({ name: ' ', phone_number: '12' }), 'Name is required.'],
      [row({ name: 'x', email: 'x.de' }), 'Email has no @.'],
      [row({ name: '', email: 'x@y' }), 'Name is required. Email must end in a dot and 2 to 4 letters, such as .com.'],
      [row({ name: 'a\0b' }), 'Name contains a character that cannot be stored.'],
      [row({ name: 'a\ud800' }), 'Name contains a character that cannot be stored.'],
      [row({ name: 'x'.repeat(201) }), 'Name must have at most 200 characters.'],
      [row({ name: 'x', sms: '1'.repeat(101) }), 'Sms must have at most 100 characters.'],
      [{ name: 'x', phone_number: 49 }, 'Phone Number must be text.'],
      [{ name: 'x', keep: ['password'], id: mine.id }, 'The list of fields to keep must be text.'],
      [{}, 'Name is required.'],
      [null, 'This is not a row of fields.'],
      [['a'], 'This is not a row of fields.'],
    ];
    const rows = [row({ id: mine.id, name: 'Mine' }), ...wrong.map(([bad]) => bad), row({ name: 'Last good one' })];
    const reply = await upload(rows);
    assert.equal(reply.status, 200);
    assert.deepEqual([reply.body.created, reply.body.changed, reply.body.unchanged], [1, 0, 1]);
    assert.deepEqual(
      reply.body.errors.map(({ error, row: at }: { error: string; row: number }) => [error, at]),
      wrong.map(([, error], at) => [error, at + 1]),
    );
    const [first] = reply.body.errors;
    assert.deepEqual(first, { ...row({ id: foreign.id, name: 'x' }), error: unknown, row: 1 });
    assert.equal((await find('last good one')).length, 1);
  });

  test('does not erase fields that the file does not hold', async () => {
    const one = await entry(node, ours.id, { name: 'Keeper', phone_number: '1', sms: '2', email: 'k@e.de' });
    const kept = row({ id: one.id, name: 'Kept' });
    assert.equal((await upload([{ ...kept, keep: ['phone_number', 'sms', 'email'] }])).body.changed, 1);
    assert.deepEqual(await stored(one.id), { ...one, name: 'Kept' });
    assert.equal((await upload([{ ...row({ id: one.id, sms: '3' }), keep: ['name'] }])).body.changed, 1);
    assert.deepEqual(await stored(one.id), { ...one, name: 'Kept', phone_number: '', sms: '3', email: '' });
    // A new row has nothing to keep.
    assert.equal((await upload([{ ...row({}), keep: ['name'] }])).body.errors[0].error, 'Name is required.');
  });

  test('keeps numbers from which a spreadsheet took the + or the zeros in front', async () => {
    const numbers: [stored: string, sent: string, then: string][] = [
      ['+49301234', '49301234', '+49301234'],
      ['0301234', '301234', '0301234'],
      ['0049301234', '49301234', '0049301234'],
      ['+49301234', '49301235', '49301235'],
      ['0301234', '', ''],
      ['30 1234', '301234', '301234'],
      ['+49 30', '4930', '4930'],
      ['0', '0', '0'],
    ];
    const made = await entries(
      node,
      ours.id,
      numbers.map(([number]) => ({ name: 'Number', phone_number: number, sms: number })),
    );
    const rows = numbers.map(([, sent], at) =>
      row({ id: made[at]?.id ?? '', name: 'Number', phone_number: sent, sms: sent }),
    );
    const foreseen = await preview(rows);
    assert.equal(foreseen.body.preview.kept_numbers, 6);
    assert.equal((await upload(rows)).status, 200);
    for (const [at, [, , then]] of numbers.entries()) {
      const now = await stored(made[at]?.id ?? '');
      assert.deepEqual([now?.phone_number, now?.sms], [then, then]);
    }
  });

  test('refuses a number in scientific notation, unless the entry has exactly this text', async () => {
    const [one, two] = await entries(node, ours.id, [
      { name: 'Typed so', phone_number: '1.55501E+11', sms: '4,9e+11' },
      { name: 'Shortened', phone_number: '155501234567' },
    ]);
    const text = 'A spreadsheet shortened this phone number. Format the column as text and enter the number again.';
    const sent = { phone_number: '1.55501E+11', sms: '4,9e+11' };
    const rows = [
      row({ id: one?.id ?? '', name: 'Typed so', ...sent }),
      row({ id: two?.id ?? '', name: 'Shortened', phone_number: '1.55501E+11' }),
      row({ name: 'New', sms: ' 5E+12 ' }),
      row({ id: newId(), name: 'Unknown', sms: '5E+12' }),
      row({ name: 'Free text', phone_number: '5E12', sms: 'ext. 4E+11' }),
    ];
    const foreseen = (await preview(rows)).body;
    const { preview: details, ...counts } = foreseen;
    assert.deepEqual(details.outcomes, ['unchanged', 'failed', 'failed', 'failed', 'created']);
    const reply = (await upload(rows)).body;
    assert.deepEqual(reply, counts);
    assert.deepEqual(
      reply.errors.map(({ error, row: at }: { error: string; row: number }) => [at, error === text]),
      [
        [1, true],
        [2, true],
        [3, false],
      ],
    );
    assert.deepEqual([reply.created, reply.changed, reply.unchanged], [1, 0, 1]);
    assert.deepEqual(await stored(one?.id ?? ''), one);
    assert.deepEqual(await stored(two?.id ?? ''), two);
    const renamed = (await upload([row({ id: one?.id ?? '', name: 'Renamed', ...sent })])).body;
    assert.deepEqual([renamed.changed, renamed.errors], [1, []]);
  });

  test('keeps names in which a spreadsheet put question marks for letters that it could not write', async () => {
    const names: [stored: string, sent: string, then: string][] = [
      ['Akçora Bozoğlu', 'Akçora Bozo?lu', 'Akçora Bozoğlu'],
      ['Юрий Łoś', '???? ?o?', 'Юрий Łoś'],
      ['Ann 🎉 O’Hara – Šmid', 'Ann ?? O’Hara – Šmid', 'Ann 🎉 O’Hara – Šmid'],
      ['Bozoğlu', 'Bozoglu?', 'Bozoglu?'],
      ['Müller', 'M?ller', 'M?ller'],
      ['Why?', 'Why??', 'Why??'],
      ['Bozoğlu', '?ozoğlu', '?ozoğlu'],
    ];
    const made = await entries(
      node,
      ours.id,
      names.map(([name]) => ({ name })),
    );
    const rows = names.map(([, name], at) => row({ id: made[at]?.id ?? '', name }));
    assert.equal((await preview(rows)).body.preview.kept_names, 3);
    assert.equal((await upload(rows)).status, 200);
    for (const [at, [, , then]] of names.entries()) assert.equal((await stored(made[at]?.id ?? ''))?.name, then);
  });

  test('takes 5,000 rows and no more, and nothing that is not a list of rows', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => row({ name: `Many ${at}` }));
    assert.equal((await upload(many)).body.created, 5_000);
    const before = await snapshotTables(node);
    for (const body of [[...many, row({ name: 'one more' })], [], {}, 'x', null, 5])
      assert.equal((await upload(body)).status, 400);
    assert.equal((await upload(Array.from({ length: 5_000 }, () => row({ name: 'ü'.repeat(1_000) })))).status, 413);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('has one effect for one Idempotency-Key, also when both calls come concurrently', async () => {
    const headers = { 'idempotency-key': newId() };
    const rows = [row({ name: 'Only once' })];
    const replies = await Promise.all([1, 2, 3].map(() => upload(rows, {}, headers)));
    for (const reply of replies) assert.deepEqual(reply.body, replies[0]?.body);
    assert.equal((await find('only once')).length, 1);
    assert.equal((await upload([row({ name: 'Another' })], {}, headers)).status, 422);
  });

  test('answers again what it answered, also about texts that PostgreSQL cannot store', async () => {
    const headers = { 'idempotency-key': newId() };
    const rows = [row({ name: 'nul\0', sms: '\ud800' }), row({ name: 'Beside a nul' })];
    const first = await upload(rows, {}, headers);
    assert.equal(first.status, 200, first.text);
    assert.equal(first.body.errors[0].name, 'nul\0');
    assert.deepEqual((await upload(rows, {}, headers)).body, first.body);
    assert.equal((await find('beside a nul')).length, 1);
  });

  test('leaves one line in the audit log, and none where nothing was stored', async () => {
    const before = (await auditRows(node, 'directory.imported')).length;
    await upload([row({ name: 'Logged' }), row({ name: '' })]);
    const rows = await auditRows(node, 'directory.imported');
    assert.equal(rows.length, before + 1);
    assert.deepEqual(
      { ...rows.at(-1)?.details, target: undefined },
      { state: 'finished', file_name: '', created: 1, changed: 0, unchanged: 0, failed: 1, target: undefined },
    );
    const contents = await snapshotTables(node);
    await upload([row({ name: '' }), row({ id: newId(), name: 'x' })]);
    assert.deepEqual(await snapshotTables(node), contents);
  });

  test('twice concurrently over the same entries ends for both, and each entry is one of them whole', async () => {
    const made = await entries(
      node,
      ours.id,
      Array.from({ length: 200 }, () => ({ name: 'Contested' })),
    );
    const rows = (word: string, list: readonly EntryRow[]) =>
      list.map(({ id }) => row({ id, name: 'Contested', phone_number: word, sms: word }));
    const replies = await Promise.all([upload(rows('a', made)), upload(rows('b', [...made].reverse()))]);
    for (const { status, body } of replies) assert.deepEqual([status, body.changed], [200, 200]);
    for (const { id } of made) {
      const now = await stored(id);
      assert.equal(now?.phone_number, now?.sms);
      assert.notEqual(now?.sms, '');
    }
  });
});

describe('the preview of an upload', () => {
  test('foresees row by row exactly what the upload then does, and writes nothing', async () => {
    const [same, other] = await entries(node, ours.id, [
      { name: 'Foreseen', email: 'f@s.de' },
      { name: 'Foreseen 2', sms: '5' },
    ]);
    const rows = [
      row({ name: 'Brand new' }),
      row({ id: same?.id ?? '', name: 'Foreseen', email: 'F@S.de' }),
      row({ id: other?.id ?? '', name: 'Foreseen 3', sms: '5' }),
      row({ id: newId(), name: 'Unknown' }),
      row({ name: 'x', email: 'wrong' }),
      row({ name: 'Foreseen 2', sms: '5' }),
    ];
    const before = await snapshotTables(node);
    const { body } = await preview(rows);
    assert.deepEqual(await snapshotTables(node), before);
    assert.deepEqual(body.preview, {
      outcomes: ['created', 'unchanged', 'changed', 'failed', 'failed', 'created'],
      before: [other],
      twins: 1,
      kept_numbers: 0,
      kept_names: 0,
    });
    const { preview: _, ...counts } = body;
    assert.deepEqual((await upload(rows)).body, counts);
  });

  test('of a foreign id is that of an unknown one', async () => {
    const foreign = await entry(node, (await createTeamWithMembers(node)).id, {
      name: 'Secret name',
      phone_number: '0301',
    });
    const about = async (id: string) => {
      const { body } = await preview([row({ id, name: 'Secret name', phone_number: '301' })]);
      return { ...body, errors: body.errors.map((error: object) => ({ ...error, id: '' })) };
    };
    assert.deepEqual(await about(foreign.id), await about(newId()));
  });
});
