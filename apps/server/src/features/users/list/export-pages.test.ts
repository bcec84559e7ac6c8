import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type ListedUser, listUsers } from '@steward/contract/users';
import { deactivateUser } from '@steward/contract/users/lifecycle';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { addMembers, type SignedInPerson, signedIn, team } from '#testing/workspace/factories.ts';

const SIZE = 101;
const MEMBERS = 450;

let node: TestApp;
let teamId: string;
let owner: SignedInPerson;
/** Pages that a call got because they were read ahead. */
let taken = 0;
/** The page that is read ahead, or was. */
let ahead: Promise<unknown> | undefined;

before(async () => {
  node = await startApp({ work: false, pool: 3 });
  teamId = await team(node);
  owner = await signedIn(node, { team: teamId, kind: 'owner' });
  await addMembers(node, teamId, MEMBERS);
  const { readAhead } = node.deps;
  const { take, begin } = readAhead;
  readAhead.take = (personId, key) => {
    const page = take(personId, key);
    if (page !== undefined) taken += 1;
    return page;
  };
  readAhead.begin = (personId, key, read) =>
    begin(personId, key, () => {
      const page = read();
      ahead = page;
      return page;
    });
});

after(() => node[Symbol.asyncDispose]());

function getPage(as: SignedInPerson, lastKey = ''): Promise<Reply> {
  const query = { deactivated_accounts: '1', limit: String(SIZE), ...(lastKey ? { last_key: lastKey } : {}) };
  return call(node, listUsers, { as, params: { teamId }, query });
}

/** Follows two pages, so that the third is read ahead, and returns its key when it was. */
async function readThirdAhead(as: SignedInPerson): Promise<string> {
  ahead = undefined;
  node.deps.readAhead.drop(as.id);
  const first = await getPage(as);
  assert.equal(ahead, undefined);
  const second = await getPage(as, first.body.last_key);
  assert.ok(ahead);
  await ahead;
  return second.body.last_key;
}

test('an export has every user once, with most of its pages read ahead', async () => {
  const ids = new Set<string>();
  taken = 0;
  let pages = 0;
  for (let lastKey: string | null = ''; lastKey !== null; pages += 1) {
    const { body }: Reply = await getPage(owner, lastKey);
    for (const { id } of body.records as ListedUser[]) ids.add(id);
    lastKey = body.last_key;
  }
  assert.equal(ids.size, MEMBERS + 1);
  assert.deepEqual([pages, taken], [5, 3]);
});

test('a page that was read ahead is the one that would be read now', async () => {
  const lastKey = await readThirdAhead(owner);
  taken = 0;
  const page = await getPage(owner, lastKey);
  assert.equal(taken, 1);
  const admin = await signedIn(node, { team: teamId, kind: 'admin', first_name: 'zz' });
  const other = await getPage(admin, lastKey);
  assert.equal(taken, 1);
  const ids = (reply: Reply) => (reply.body.records as ListedUser[]).map(({ id }) => id);
  assert.deepEqual(ids(page), ids(other));
  const again = await getPage(owner, lastKey);
  assert.equal(taken, 1);
  assert.deepEqual(page.body, again.body);
});

test('a page has what its reader changed after the page before', async () => {
  const lastKey = await readThirdAhead(owner);
  const [user] = (await getPage(owner, lastKey)).body.records as [ListedUser];
  assert.equal(await readThirdAhead(owner), lastKey);
  const { status, text } = await call(node, deactivateUser, {
    as: owner,
    params: { teamId, userId: user.id },
    body: {},
  });
  assert.equal(status, 200, text);
  taken = 0;
  const [changed] = (await getPage(owner, lastKey)).body.records as [ListedUser];
  assert.deepEqual([changed.id, changed.state, taken], [user.id, 'deactivated', 0]);
});

test('a page that was read ahead is refused to someone who may no longer read it', async () => {
  const admin = await signedIn(node, { team: teamId, kind: 'admin' });
  const lastKey = await readThirdAhead(admin);
  await node.db
    .updateTable('memberships')
    .set({ roles: ['team_user'] })
    .where('person_id', '=', admin.id)
    .execute();
  const { status, body } = await getPage(admin, lastKey);
  assert.deepEqual([status, body.id], [403, 'team.admin_required']);
});
