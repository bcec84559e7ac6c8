import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Entry, listEntries, removeEntry } from '@steward/contract/directory';
import { sql } from 'kysely';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type SignedInPerson, signedIn, team } from '#testing/workspace/factories.ts';

const ENTRIES = 450;

let node: TestApp;
let teamId: string;
let admin: SignedInPerson;

before(async () => {
  node = await startApp({ work: false, pool: 3 });
  teamId = await team(node);
  admin = await signedIn(node, { team: teamId, kind: 'admin' });
  await sql`insert into directory_entries (team_id, id, name, import_id)
    select ${teamId}, 'e' || lpad(n::text, 25, '0'), 'Entry ' || n, ''
    from generate_series(1, ${ENTRIES}::int) n`.execute(node.db);
});

after(() => node[Symbol.asyncDispose]());

function getPage(lastKey = ''): Promise<Reply> {
  return call(node, listEntries, {
    as: admin,
    params: { teamId },
    query: { limit: '101', ...(lastKey ? { last_key: lastKey } : {}) },
  });
}

test('an export has every entry once, also where pages are read ahead', async () => {
  const ids = new Set<string>();
  for (let lastKey: string | null = ''; lastKey !== null; ) {
    const { body }: Reply = await getPage(lastKey);
    for (const { id } of body.records as Entry[]) ids.add(id);
    lastKey = body.last_key;
  }
  assert.equal(ids.size, ENTRIES);
});

test('an entry that its reader deleted is not on the next page', async () => {
  const { readAhead } = node.deps;
  const first = await getPage();
  const second = await getPage(first.body.last_key);
  const third = await getPage(second.body.last_key);
  const [entry] = third.body.records as [Entry];
  readAhead.drop(admin.id);
  const begun = Promise.withResolvers<unknown>();
  const { begin } = readAhead;
  readAhead.begin = (personId, key, read) =>
    begin(personId, key, () => {
      const page = read();
      begun.resolve(page);
      return page;
    });
  await getPage(first.body.last_key);
  await begun.promise;
  const { status, text } = await call(node, removeEntry, { as: admin, params: { teamId, entryId: entry.id } });
  assert.equal(status, 200, text);
  const now = await getPage(second.body.last_key);
  assert.ok(!(now.body.records as Entry[]).some(({ id }) => id === entry.id));
});
