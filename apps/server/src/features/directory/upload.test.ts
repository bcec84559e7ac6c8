import assert from 'node:assert/strict';
import { listEntries, startImport, uploadEntries } from '@steward/contract/directory';
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
    const before = await snapshotTables(node);
    for (const body of [[...many, row({ name: 'one more' })], [], {}, 'x', null, 5])
      assert.equal((await upload(body)).status, 400);
    assert.equal((await upload(Array.from({ length: 5_000 }, () => row({ name: 'ü'.repeat(1_000) })))).status, 413);
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await upload(many)).body.created, 5_000);
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
      Array.from({ length: 40 }, () => ({ name: 'Contested' })),
    );
    const rows = (word: string, list: readonly EntryRow[]) =>
      list.map(({ id }) => row({ id, name: 'Contested', phone_number: word, sms: word }));
    const replies = await Promise.all([upload(rows('a', made)), upload(rows('b', [...made].reverse()))]);
    for (const { status, body } of replies) assert.deepEqual([status, body.changed], [200, 40]);
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
      before: [{ ...other, row: 2 }],
      matches: 1,
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

describe('a list that is imported again', () => {
  /** A team of its own, so that the names of other tests match nothing. */
  const createTeam = async () => {
    const team = await createTeamWithMembers(node);
    const send = async (rows: unknown, query: Record<string, string> = {}) =>
      (await call(node, uploadEntries, { as: team.admin, params: { teamId: team.id }, query, body: rows })).body;
    const all = async () => {
      const { body } = await call(node, listEntries, { as: team.admin, params: { teamId: team.id } });
      return (body.records as EntryRow[]).map(({ name, phone_number, sms, email }) => [name, phone_number, sms, email]);
    };
    return { team, send, all };
  };
  const LIST = [
    row({ name: 'Ann Lee', email: 'ann@example.com', phone_number: '+49 30 1234' }),
    row({ name: 'Bob Ray', phone_number: '(555) 123-4567' }),
    row({ name: 'Cid Dot', sms: '0171 555' }),
    row({ name: 'Dee' }),
  ];

  test('adds every row again without if_exists, as before', async () => {
    const { send, all } = await createTeam();
    await send(LIST);
    const foreseen = await send(LIST, { preview: '1' });
    assert.deepEqual([foreseen.created, foreseen.preview.matches, foreseen.preview.twins], [4, 4, 4]);
    assert.equal((await send(LIST)).created, 4);
    assert.equal((await all()).length, 8);
  });

  test('changes nothing with if_exists=keep, however its names and numbers are written', async () => {
    const { send, all } = await createTeam();
    await send(LIST);
    const before = await all();
    const again = [
      row({ name: 'Another Name', email: 'ANN@example.com' }),
      row({ name: 'BOB RAY', phone_number: '555-1234567', email: 'new@example.com' }),
      row({ name: 'Cid Dot', phone_number: '171555' }),
      row({ name: 'dee' }),
      row({ name: 'Bob Ray', phone_number: '+1 555 0000' }),
      row({ name: 'Dee', phone_number: '1' }),
      row({ name: 'Ann Lee' }),
    ];
    const { preview: details, ...foreseen } = await send(again, { preview: '1', if_exists: 'keep' });
    assert.equal(details.matches, 4);
    assert.deepEqual(details.outcomes, [...Array(4).fill('unchanged'), ...Array(3).fill('created')]);
    assert.deepEqual(await send(again, { if_exists: 'keep' }), foreseen);
    assert.deepEqual([foreseen.created, foreseen.unchanged], [3, 4]);
    const after = (await all()).map((entry) => JSON.stringify(entry));
    assert.equal(after.length, 7);
    for (const entry of before) assert.ok(after.includes(JSON.stringify(entry)));
    // A file may have its own duplicates: they were there before the import in none of its rows.
    assert.equal((await send([row({ name: 'New' }), row({ name: 'New' })], { if_exists: 'keep' })).created, 2);
  });

  test('changes the matching entries with if_exists=update, except fields that the file lacks', async () => {
    const { send, all } = await createTeam();
    await send(LIST);
    const again = [
      { ...row({ name: 'Ann Fox', email: 'ann@example.com' }), keep: ['phone_number', 'sms'] },
      row({ name: 'Bob Ray', phone_number: '5551234567', email: 'bob@example.com' }),
      row({ name: 'Cid Dot', sms: '0171 555' }),
      row({ name: 'Eve' }),
    ];
    const { preview: details, ...foreseen } = await send(again, { preview: '1', if_exists: 'update' });
    assert.deepEqual(details.outcomes, ['changed', 'changed', 'unchanged', 'created']);
    assert.deepEqual(
      details.before.map(({ name, row: at }: { name: string; row: number }) => [at, name]),
      [
        [0, 'Ann Lee'],
        [1, 'Bob Ray'],
      ],
    );
    assert.deepEqual(await send(again, { if_exists: 'update' }), foreseen);
    assert.deepEqual(await all(), [
      ['Ann Fox', '+49 30 1234', '', 'ann@example.com'],
      ['Bob Ray', '5551234567', '', 'bob@example.com'],
      ['Cid Dot', '', '0171 555', ''],
      ['Dee', '', '', ''],
      ['Eve', '', '', ''],
    ]);
  });

  test('prefers the entry with the same name among those with the same address', async () => {
    const { team, send, all } = await createTeam();
    await entries(node, team.id, [
      { name: 'Front desk', email: 'desk@example.com' },
      { name: 'Ann Lee', email: 'desk@example.com' },
    ]);
    await send([row({ name: 'Ann Lee', email: 'desk@example.com', sms: '7' })], { if_exists: 'update' });
    assert.deepEqual(await all(), [
      ['Ann Lee', '', '7', 'desk@example.com'],
      ['Front desk', '', '', 'desk@example.com'],
    ]);
  });

  test('gives back a row whose entry an earlier row changes, also one with an id or of another call', async () => {
    const { team, send } = await createTeam();
    const ann = await entry(node, team.id, { name: 'Ann Lee', email: 'ann@example.com' });
    const error = 'Duplicate: an earlier row already changes the entry that this row matches.';
    const twice = [
      row({ name: 'A', email: 'ann@example.com' }),
      row({ id: ann.id, name: 'B', email: 'b@example.com' }),
    ];
    const { preview: details, ...foreseen } = await send(twice, { preview: '1', if_exists: 'update' });
    assert.deepEqual(details.outcomes, ['failed', 'changed']);
    const stored = await send(twice, { if_exists: 'update' });
    assert.deepEqual(stored, foreseen);
    assert.deepEqual(
      stored.errors.map(({ row: at, error: reason }: { row: number; error: string }) => [at, reason]),
      [[0, error]],
    );
    const started = await call(node, startImport, {
      as: team.admin,
      params: { teamId: team.id },
      body: { file_name: 'a.csv' },
    });
    const query = { if_exists: 'update', import_id: started.body.id };
    const call1 = await send([row({ name: 'C', email: 'b@example.com' })], query);
    const call2 = await send([row({ name: 'D', email: 'b@example.com' })], query);
    assert.deepEqual([call1.changed, call2.changed, call2.errors[0].error], [1, 0, error]);
  });

  test('by two admins at once adds each row once', async () => {
    const { send, all } = await createTeam();
    await Promise.all([1, 2, 3].map(() => send(LIST, { if_exists: 'keep' })));
    assert.equal((await all()).length, 4);
  });

  test('matches no entry of another team', async () => {
    const { send } = await createTeam();
    await send(LIST);
    const other = await createTeam();
    assert.equal((await other.send(LIST, { preview: '1', if_exists: 'keep' })).preview.matches, 0);
    assert.equal((await other.send(LIST, { if_exists: 'update' })).created, 4);
  });
});
