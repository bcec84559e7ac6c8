import assert from 'node:assert/strict';
import {
  addEntries,
  listEntries,
  removeEntry,
  restoreEntry,
  saveEntries,
  uploadEntries,
} from '@steward/contract/directory';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { entries, entry } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam, team } from '#testing/workspace/factories.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';
import { findEntries } from './directory.store.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
  ours = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const inOurs = () => ({ as: ours.admin, params: { teamId: ours.id } });
const add = (body: unknown, headers = {}) => call(node, addEntries, { ...inOurs(), body, headers });
const save = (body: unknown) => call(node, saveEntries, { ...inOurs(), body });
const list = async (query: Record<string, string> = {}) => (await call(node, listEntries, { ...inOurs(), query })).body;
const getNames = (page: { records: { name: string }[] }) => page.records.map(({ name }) => name);

describe('adding entries', () => {
  test('answers them as stored: trimmed, composed, the address in small letters', async () => {
    const reply = await add([{ name: '  Zoe\u0308 ', phone_number: ' 5551234567 ', email: ' Zoe@Example.COM ' }]);
    assert.equal(reply.status, 200);
    const [stored] = reply.body.records;
    assert.match(stored.id, /^[a-z0-9]{26}$/);
    assert.deepEqual(
      { ...stored, id: '' },
      {
        id: '',
        name: 'Zoë',
        phone_number: '5551234567',
        sms: '',
        email: 'zoe@example.com',
        user_id: '',
        last_picture_update: 0,
      },
    );
    const [audit] = (await auditRows(node, 'directory.added')).slice(-1);
    assert.equal(audit?.target, stored.id);
    assert.equal(audit?.actor_id, ours.admin.id);
  });

  test('keeps the order they were sent in, and one audit row for all', async () => {
    const before = (await auditRows(node, 'directory.added')).length;
    const sent = ['Order c', 'Order a', 'Order b'];
    const reply = await add(sent.map((name) => ({ name })));
    assert.deepEqual(getNames(reply.body), sent);
    assert.equal((await auditRows(node, 'directory.added')).length, before + 1);
  });

  test('links an entry to the team member with that address, but not to users of other teams', async () => {
    const stranger = await createTeamWithMembers(node);
    const reply = await add([
      { name: 'Of us', email: ours.member.email },
      { name: 'Of others', email: stranger.member.email },
    ]);
    assert.deepEqual(
      reply.body.records.map(({ user_id }: { user_id: string }) => user_id),
      [ours.member.id, ''],
    );
    assert.ok(reply.body.records[0].last_picture_update > 0);
  });

  test('is refused as a whole for one wrong entry, which is named', async () => {
    const before = await snapshotTables(node);
    for (const [wrong, message] of [
      [{ name: '  ' }, /^1\.name: is required$/],
      [{ name: 'x', email: 'a@b' }, /^1\.email: must end in a dot and 2 to 4 letters/],
    ] as const) {
      const reply = await add([{ name: 'Right' }, wrong]);
      assert.equal(reply.status, 400, JSON.stringify(wrong));
      assert.match(reply.body.message, message);
    }
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('takes a thousand in one call, and once for one Idempotency-Key', async () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({ name: `Bulk ${String(at).padStart(4, '0')}` }));
    const headers = { 'idempotency-key': newId() };
    const first = await add(many, headers);
    assert.equal(first.status, 200);
    assert.deepEqual((await add(many, headers)).body, first.body);
    assert.equal((await add([{ name: 'another body' }], headers)).status, 422);
    assert.equal((await list({ search: 'bulk', limit: '2000' })).records.length, 1_000);
  });
});

describe('changing entries', () => {
  test('changes what is sent, leaves what is not, and keeps before and after in the audit log', async () => {
    const before = await entry(node, ours.id, { name: 'Anna', phone_number: '030 1', sms: '030 2', email: 'a@b.de' });
    const reply = await save([{ id: before.id, name: 'Anne', sms: '', email: ours.member.email }]);
    const after = { id: before.id, name: 'Anne', phone_number: '030 1', sms: '', email: ours.member.email };
    const [{ last_picture_update, ...stored }] = reply.body.records;
    assert.deepEqual(stored, { ...after, user_id: ours.member.id });
    assert.ok(last_picture_update > 0);
    const [audit] = (await auditRows(node, 'directory.edited')).slice(-1);
    const { user_id: _, last_picture_update: __, ...words } = before;
    assert.deepEqual(audit?.details, { before: [words], after: [after] });
  });

  test('that change nothing write nothing', async () => {
    const same = await entry(node, ours.id, { name: 'Same', sms: '1' });
    const before = await snapshotTables(node);
    const reply = await save([{ id: same.id, name: ' Same ', sms: '1' }]);
    assert.deepEqual(reply.body.records, [same]);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('is all or nothing: an unknown id, a missing name or the same entry twice refuses the list', async () => {
    const one = await entry(node, ours.id, { name: 'One' });
    const gone = await entry(node, ours.id, { name: 'Gone' });
    await call(node, removeEntry, { as: ours.admin, params: { teamId: ours.id, entryId: gone.id } });
    const before = await snapshotTables(node);
    const edit = { id: one.id, name: 'Changed' };
    for (const [other, status] of [
      [{ id: newId(), name: 'x' }, 404],
      [{ id: gone.id, name: 'x' }, 404],
      [{ id: 'x', name: 'x' }, 400],
      [{ name: 'x' }, 400],
      [{ id: newId() }, 400],
      [{ ...edit }, 400],
    ] as const)
      assert.equal((await save([edit, other])).status, status, JSON.stringify(other));
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('by two concurrent calls leaves the later one, whole', async () => {
    await using both = await startApp({ beside: node, work: false, pool: 4 });
    const one = await entry(node, ours.id, { name: 'Start' });
    const words = ['a', 'b', 'c', 'd', 'e', 'f'];
    const replies = await Promise.all(
      words.map((word) =>
        call(both, saveEntries, { ...inOurs(), body: [{ id: one.id, name: word, phone_number: word, sms: word }] }),
      ),
    );
    for (const reply of replies) assert.equal(reply.status, 200);
    const [stored] = await findEntries(node.db, ours.id, [one.id]);
    assert.ok(words.includes(stored?.name ?? ''));
    assert.deepEqual([stored?.phone_number, stored?.sms], [stored?.name, stored?.name]);
    assert.equal((await auditRows(node, 'directory.edited')).filter(({ target }) => target === one.id).length, 6);
  });
});

describe('deleting an entry', () => {
  test('removes it for good, and a second time there is nothing to remove', async () => {
    const one = await entry(node, ours.id, { name: 'Short-lived', email: 'short@lived.com' });
    const params = { teamId: ours.id, entryId: one.id };
    assert.deepEqual((await call(node, removeEntry, { as: ours.admin, params })).body, { status_code: 200 });
    assert.equal((await call(node, removeEntry, { as: ours.admin, params })).status, 404);
    assert.deepEqual((await list({ search: 'short-lived' })).records, []);
    const [audit] = (await auditRows(node, 'directory.deleted')).slice(-1);
    const { user_id: _, last_picture_update: __, ...words } = one;
    assert.deepEqual(audit?.details, { before: words });
  });

  test('acts on its path alone, however a proxy has changed the body', async () => {
    const one = await entry(node, ours.id, { name: 'Body' });
    const other = await entry(node, ours.id, { name: 'Left alone' });
    const params = { teamId: ours.id, entryId: one.id };
    const reply = await call(node, removeEntry, { as: ours.admin, params, body: { id: other.id } });
    assert.equal(reply.status, 200);
    assert.equal((await list({ search: 'left alone' })).records.length, 1);
  });
});

describe('restoring a deleted entry', () => {
  const restore = (entryId: string, headers = {}) =>
    call(node, restoreEntry, { as: ours.admin, params: { teamId: ours.id, entryId }, headers });
  const remove = (entryId: string) => call(node, removeEntry, { as: ours.admin, params: { teamId: ours.id, entryId } });

  test('brings it back under its id, with what it was and an audit row, once', async () => {
    const one = await entry(node, ours.id, { name: 'Back', phone_number: '1', sms: '2', email: ours.member.email });
    await remove(one.id);
    const headers = { 'idempotency-key': newId() };
    const reply = await restore(one.id, headers);
    assert.deepEqual(reply.body, { status_code: 200, records: [one] });
    assert.deepEqual((await restore(one.id, headers)).body, reply.body);
    assert.deepEqual(getNames(await list({ search: 'back' })), ['Back']);
    const audits = (await auditRows(node, 'directory.restored')).filter(({ target }) => target === one.id);
    const { user_id: _, last_picture_update: __, ...words } = one;
    assert.deepEqual(
      audits.map(({ actor_id, details }) => [actor_id, details]),
      [[ours.admin.id, { entries: [words] }]],
    );
  });

  test('leaves an entry that exists as it is, and restores what was deleted last', async () => {
    const one = await entry(node, ours.id, { name: 'First' });
    await remove(one.id);
    await restore(one.id);
    await save([{ id: one.id, name: 'Second' }]);
    const before = (await auditRows(node, 'directory.restored')).length;
    assert.equal((await restore(one.id)).body.records[0].name, 'Second');
    assert.equal((await auditRows(node, 'directory.restored')).length, before);
    await remove(one.id);
    assert.equal((await restore(one.id)).body.records[0].name, 'Second');
  });

  test('by two concurrent calls adds it once', async () => {
    const one = await entry(node, ours.id, { name: 'Twice' });
    await remove(one.id);
    const replies = await Promise.all([restore(one.id), restore(one.id)]);
    for (const reply of replies) assert.deepEqual([reply.status, reply.body.records], [200, [one]]);
    const audits = (await auditRows(node, 'directory.restored')).filter(({ target }) => target === one.id);
    assert.equal(audits.length, 1);
  });

  test('is refused after 30 days, for what never was deleted, and for other ids', async () => {
    const gone = await entry(node, ours.id, { name: 'Long gone' });
    await remove(gone.id);
    const deletedBefore = async (age: string) => {
      const id = newId();
      await sql`insert into audit_events (team_id, id, at, actor_id, action, target, details, address, request_id)
        select team_id, ${newId()}, now() - ${age}::interval, actor_id, action, ${id}, details, address, request_id
        from audit_events where target = ${gone.id} and action = 'directory.deleted'`.execute(node.db);
      return id;
    };
    const [old, recent] = [await deletedBefore('30 days 1 minute'), await deletedBefore('29 days 23 hours')];
    const before = await snapshotTables(node);
    for (const id of [old, newId(), 'x', '\0']) assert.equal((await restore(id)).status, 404, id);
    assert.deepEqual(await snapshotTables(node), before);
    assert.equal((await restore(recent)).body.records[0].name, 'Long gone');
  });
});

describe('the list', () => {
  test('goes by name without regard to case and marks, page after page, each entry once', async () => {
    const owner = { as: ours.owner, params: { teamId: await team(node) } };
    const mine = await createTeamWithMembers(node);
    const sending = { as: mine.owner, params: { teamId: mine.id } };
    assert.equal((await call(node, listEntries, owner)).status, 403);
    const names = ['beta', 'Alpha', 'alpha', 'Émile', '\u{1F600} smile', '~tilde', '\u0001control'];
    await entries(
      node,
      mine.id,
      [...names, ...names.map((name) => `${name} 2`)].map((name) => ({ name })),
    );
    const whole = (await call(node, listEntries, sending)).body;
    assert.equal(whole.last_key, null);
    assert.equal(whole.reset, true);
    const paged: string[] = [];
    let lastKey = '';
    do {
      const query = { limit: '3', ...(lastKey && { last_key: lastKey }) };
      const { body } = await call(node, listEntries, { ...sending, query });
      paged.push(...getNames(body));
      lastKey = body.last_key ?? '';
    } while (lastKey !== '');
    assert.deepEqual(paged, getNames(whole));
    const keys = paged.map((name) => name.toLowerCase().normalize('NFD').replace(/\p{M}/gu, ''));
    assert.deepEqual(keys, [...keys].sort(byBytes));
  });

  test('large pages have the same records as small ones, to the last character', async () => {
    const mine = await createTeamWithMembers(node);
    const odd = ['"quoted" \\ back', 'tab\tand\nnewline', '\u0001\u001f\u2028', '漢字', '👩‍👩‍👧 😀', '\\N'];
    const rest = Array.from({ length: 300 }, (_, at) => ({ name: `Entry ${at}`, email: `e${at}@example.com` }));
    await entries(node, mine.id, [...odd.map((name) => ({ name, phone_number: name })), ...rest]);
    const listAll = async (limit: string) => {
      const records: unknown[] = [];
      let lastKey = '';
      do {
        const query = { limit, ...(lastKey && { last_key: lastKey }) };
        const { body } = await call(node, listEntries, { as: mine.owner, params: { teamId: mine.id }, query });
        assert.deepEqual(listEntries.answer.parse(body), body);
        records.push(...body.records);
        lastKey = body.last_key ?? '';
      } while (lastKey !== '');
      return records;
    };
    const small = await listAll('50');
    assert.equal(small.length, 306);
    for (const limit of ['101', '153', '306', '2000']) assert.deepEqual(await listAll(limit), small);
  });

  test('pages of the longest names there can be', async () => {
    const mine = await createTeamWithMembers(node);
    const name = '\u0001'.repeat(199);
    await entries(
      node,
      mine.id,
      ['a', 'b', 'c'].map((end) => ({ name: `x${name.slice(1)}${end}` })),
    );
    const sending = { as: mine.owner, params: { teamId: mine.id } };
    const first = await call(node, listEntries, { ...sending, query: { limit: '1' } });
    const second = await call(node, listEntries, {
      ...sending,
      query: { limit: '1', last_key: first.body.last_key },
    });
    assert.equal(second.status, 200);
    assert.ok(getNames(second.body)[0]?.endsWith('b'));
  });

  test('is searched in name, address and both numbers, in any case, and wildcards match literally', async () => {
    const mine = await createTeamWithMembers(node);
    const all = await entries(node, mine.id, [
      { name: 'Ümit 100%', email: 'umit@example.com' },
      { name: 'Under_score', phone_number: '(555) 123-4567' },
      { name: 'Back\\slash', sms: '+49 30 901-820' },
    ]);
    const find = async (search: string) => {
      const sending = { as: mine.owner, params: { teamId: mine.id }, query: { search } };
      return (await call(node, listEntries, sending)).body.records.map(({ id }: { id: string }) => id);
    };
    const [percent, under, back] = all.map(({ id }) => id);
    for (const [search, found] of [
      ['ümit', [percent]],
      ['@EXAMPLE', [percent]],
      ['%', [percent]],
      ['_', [under]],
      ['\\', [back]],
      ['5551234567', [under]],
      ['901-820', [back]],
      ['49309018201', []],
      ['4567 under', [under]],
    ] as const)
      assert.deepEqual(await find(search), found, search);
  });
});

function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

describe('a server that allows any ending of an address', () => {
  test('stores it in every way, and one with the default refuses it with the rule', async () => {
    await using free = await startApp({ work: false, env: { DIRECTORY_EMAIL_ENDINGS: 'any' } });
    const team = await createTeamWithMembers(free);
    const options = { as: team.admin, params: { teamId: team.id } };
    const added = await call(free, addEntries, { ...options, body: [{ name: 'Ann', email: 'ann@example.museum' }] });
    assert.equal(added.status, 200, added.text);
    const [ann] = added.body.records;
    const moved = [{ id: ann.id, name: 'Ann', email: 'ann@example.photography' }];
    assert.equal((await call(free, saveEntries, { ...options, body: moved })).status, 200);
    const rows = [
      { name: 'Bob', email: 'bob@example.xn--p1ai' },
      { name: 'Cid', email: 'cid@example.c' },
    ];
    const uploaded = (await call(free, uploadEntries, { ...options, body: rows })).body;
    assert.equal(uploaded.created, 1);
    assert.equal(uploaded.errors[0].error, 'Email must end in a dot and at least 2 letters, such as .com.');
  });

  test('keeps stored addresses, until they are changed, when it no longer allows them', async () => {
    const kept = await entry(node, ours.id, { name: 'Kept', email: 'kept@example.museum' });
    const saveOne = (fields: object) => save([fields]);
    assert.equal((await saveOne({ id: kept.id, name: 'Kept', email: kept.email, sms: '5' })).status, 200);
    const refused = await saveOne({ id: kept.id, name: 'Kept', email: 'other@example.museum' });
    assert.deepEqual(
      [refused.status, refused.body.message],
      [400, '0.email: must end in a dot and 2 to 4 letters, such as .com'],
    );
  });
});
