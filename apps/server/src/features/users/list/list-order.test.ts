import assert from 'node:assert/strict';
import { type ListedUser, listUsers } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { call, type Sending } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { type SignedInUser, signedIn, team } from '#testing/workspace/factories.ts';

const DAY_MS = 86_400_000;

let node: TestApp;
let teamId: string;
let owner: SignedInUser;
let all: ListedUser[];

beforeAll(async () => {
  node = await startApp({ work: false });
  teamId = await team(node);
  owner = await signedIn(node, { team: teamId, kind: 'owner', first_name: 'Olive', last_name: 'Owner' });
  await addUsers(300);
  await addEnds();
  await addFactors();
  const rows = await node.db.selectFrom('memberships').select(['person_id', 'create_at']).execute();
  for (const { person_id, create_at } of rows) since.set(person_id, create_at);
  all = await listAll({ deactivated_accounts: '1' });
  assert.equal(all.length, 301);
});

afterAll(() => node[Symbol.asyncDispose]());

/** Users of all kinds and states. Names and times repeat, so that the id determines their order. */
async function addUsers(count: number): Promise<void> {
  await sql`with made as (
      select 'p' || lpad(i::text, 25, '0') as id, i, 'person ' || (i * 7919 % 97) as name,
        case i % 10 when 0 then array['team_user', 'team_admin'] when 1 then array['team_user', 'team_admin', 'team_owner']
          when 2 then array['zendesk'] else array['team_user'] end as roles,
        i % 9 = 0 as invited, i % 9 = 1 as gone
      from generate_series(1, ${count}::int) i
    ), added as (
      insert into people (id, email, first_name, create_at, update_at)
      select id, id || '@order.test', name, 0, 0 from made where not invited
    )
    insert into memberships (team_id, person_id, roles, name_key, search, deactivated, deactivated_at, create_at, email, first_name,
      last_name, invited_at, last_active_at)
    select ${teamId}, id, roles, name, name || e'\n' || id || '@order.test', gone, case when gone then 5 end, i * 31 % 53,
      case when invited then id || '@order.test' end, case when invited then name end, case when invited then '' end,
      case when invited and i % 5 <> 0 then ${Date.now()} - (i * 7 % 41)::bigint * ${DAY_MS} - 60000 end,
      case when i % 4 <> 0 and not invited then ${Date.now()} - (i * 13 % 41)::bigint * ${DAY_MS} - 60000 end
    from made`.execute(node.db);
}

/** Ends of a third of the users, within 30 days; owners have none. */
async function addEnds(): Promise<void> {
  await sql`update memberships m set ends_at = e.ends_at, ends_on = e.ends_at::date
    from (select team_id, person_id, now() + make_interval(days => substr(person_id, 2)::int * 17 % 31, hours => 1) as ends_at
      from memberships where person_id like 'p%' and substr(person_id, 2)::int % 3 = 0
        and not roles && array['team_owner', 'zendesk']) e
    where m.team_id = e.team_id and m.person_id = e.person_id`.execute(node.db);
  const { rows } = await sql<{ id: string; at: string }>`select person_id as id, ends_at::text as at from memberships
    where ends_at between now() and now() + interval '14 days'`.execute(node.db);
  for (const { id, at } of rows) ends.set(id, at);
}

/** Every third user has an authenticator app, the next one hasn't confirmed it, and every seventh has a passkey. */
async function addFactors(): Promise<void> {
  const numbered = sql`(select id, substr(id, 2)::int as i from people where email like '%@order.test') numbered`;
  await sql`insert into totp_factors (person_id, secret, confirmed_at)
    select id, '', case when i % 3 = 0 then now() end from ${numbered} where i % 3 <> 2`.execute(node.db);
  await sql`insert into passkeys (id, person_id, credential_id, public_key, counter, device_type, backed_up, name)
    select id, id, id, '', 0, 'singleDevice', false, '' from ${numbered} where i % 7 = 0`.execute(node.db);
}

const page = (query: NonNullable<Sending['query']>) => call(node, listUsers, { as: owner, params: { teamId }, query });

async function listAll(query: Record<string, string>): Promise<ListedUser[]> {
  const rows: ListedUser[] = [];
  for (let last_key: string | null = ''; last_key !== null; ) {
    const { body, status, text } = await page({ limit: '50', ...query, ...(last_key ? { last_key } : {}) });
    assert.equal(status, 200, text);
    assert.equal('total' in body, last_key === '', 'only the first page has a total');
    rows.push(...body.records);
    last_key = body.last_key;
  }
  return rows;
}

type Filter = (user: ListedUser) => boolean;

const has = (role: string) => (user: ListedUser) => user.roles.includes(role as ListedUser['roles'][number]);
const isOwner = has('team_owner');
const isAdmin: Filter = (user) => has('team_admin')(user) && !isOwner(user);
const isMember: Filter = (user) => !isOwner(user) && !isAdmin(user) && !has('zendesk')(user);
const isInvited: Filter = ({ state }) => state === 'invited';
const isGone: Filter = ({ state }) => state === 'deactivated';
const isInactive: Filter = ({ state, last_active_at: at }) =>
  state === 'active' && (at ?? 0) < Date.now() - 20 * DAY_MS;
const isRecent: Filter = ({ state, last_active_at: at }) => state === 'active' && (at ?? 0) >= Date.now() - 30 * DAY_MS;
const isEnding: Filter = ({ state, id }) => state === 'active' && ends.has(id);
const hasFactor: Filter = ({ id }) => Number(id.slice(1)) % 3 === 0 || Number(id.slice(1)) % 7 === 0;
const isWithout: Filter = (user) => user.state === 'active' && !hasFactor(user);
/** Someone who was invited before such times were recorded has the time at which they were added. */
const isOldInvitation: Filter = ({ state, invited_at }) =>
  state === 'invited' && (invited_at ?? 0) < Date.now() - 20 * DAY_MS;
const any: Filter = () => true;
const isUserWith =
  (text: string): Filter =>
  ({ first_name, email }) =>
    first_name.startsWith('person') && `${first_name} ${email}`.includes(text);

const FILTERS: [Record<string, string>, Filter][] = [
  [{}, (user) => !isGone(user)],
  [{ deactivated_accounts: '1' }, any],
  [{ pending: '1' }, isInvited],
  [{ pending: '1', deactivated_accounts: '1' }, isInvited],
  [{ primary_owner: '1' }, (user) => isOwner(user) && !isGone(user)],
  [{ workspace_admin: '1', pending: '1' }, (user) => (isAdmin(user) || isInvited(user)) && !isGone(user)],
  [{ member: '1', pending: '1' }, (user) => (isMember(user) || isInvited(user)) && !isGone(user)],
  [{ member: '1', primary_owner: '1', deactivated_accounts: '1' }, (user) => isMember(user) || isOwner(user)],
  [{ inactive_days: '20' }, isInactive],
  [{ inactive_days: '20', member: '1', deactivated_accounts: '1' }, (user) => isInactive(user) && isMember(user)],
  [{ inactive_days: '20', pending: '1' }, () => false],
  [{ inactive_days: '20', pending: '1', member: '1' }, (user) => isInactive(user) && isMember(user)],
  [{ never_active: '1' }, ({ state, last_active_at }) => state === 'active' && last_active_at === null],
  [{ never_active: '1', inactive_days: '20', pending: '1' }, () => false],
  [{ active_days: '30' }, isRecent],
  [{ active_days: '30', member: '1', deactivated_accounts: '1' }, (user) => isRecent(user) && isMember(user)],
  [{ active_days: '30', inactive_days: '20' }, (user) => isRecent(user) && isInactive(user)],
  [{ active_days: '20', inactive_days: '20' }, () => false],
  [{ active_days: '30', never_active: '1' }, () => false],
  [{ active_days: '30', without_second_factor: '1' }, (user) => isRecent(user) && isWithout(user)],
  [{ active_days: '30', pending: '1' }, () => false],
  [{ search: 'person 3', active_days: '30' }, (user) => isUserWith('3')(user) && isRecent(user)],
  [{ without_second_factor: '1' }, isWithout],
  [
    { without_second_factor: '1', primary_owner: '1', workspace_admin: '1', deactivated_accounts: '1' },
    (user) => isWithout(user) && (isOwner(user) || isAdmin(user)),
  ],
  [{ without_second_factor: '1', inactive_days: '20' }, (user) => isWithout(user) && isInactive(user)],
  [{ without_second_factor: '1', pending: '1', primary_owner: '1' }, (user) => isWithout(user) && isOwner(user)],
  [{ invited_days: '20' }, isOldInvitation],
  [{ invited_days: '20', pending: '1', deactivated_accounts: '1' }, isOldInvitation],
  [{ invited_days: '20', member: '1' }, (user) => isOldInvitation(user) && isMember(user)],
  [{ invited_days: '20', inactive_days: '20' }, () => false],
  [{ invited_days: '20', without_second_factor: '1' }, () => false],
  [{ search: 'person 3', invited_days: '20' }, (user) => isUserWith('3')(user) && isOldInvitation(user)],
  [{ search: 'person 3' }, (user) => isUserWith('3')(user) && !isGone(user)],
  [{ search: '33 person', deactivated_accounts: '1' }, isUserWith('33')],
  [{ search: 'person 3', inactive_days: '20' }, (user) => isUserWith('3')(user) && isInactive(user)],
  [{ search: 'nobody at all' }, () => false],
  [{ ending_days: '14' }, isEnding],
  [{ ending_days: '14', member: '1', pending: '1' }, (user) => isEnding(user) && isMember(user)],
  [{ ending_days: '14', inactive_days: '20' }, (user) => isEnding(user) && isInactive(user)],
  [{ ending_days: '14', search: 'person 3' }, (user) => isEnding(user) && isUserWith('3')(user)],
];

const KEYS: Record<string, (user: ListedUser) => string | number | null> = {
  name: ({ first_name, last_name }) => `${first_name} ${last_name}`.trim().toLowerCase(),
  joined: ({ id }) => since.get(id) ?? null,
  last_active: ({ last_active_at }) => last_active_at,
  end: ({ id }) => ends.get(id) ?? null,
};
const since = new Map<string, number>();
const ends = new Map<string, string>();

function compare(sort: string, order: string) {
  const sign = order === 'desc' ? -1 : 1;
  const toKey = KEYS[sort] ?? assert.fail();
  return (left: ListedUser, right: ListedUser): number => {
    const [a, b] = [toKey(left), toKey(right)];
    if (a === b) return left.id < right.id ? -sign : sign;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -sign : sign;
  };
}

describe('each order of the user list', () => {
  for (const sort of ['name', 'joined', 'last_active'])
    for (const order of ['asc', 'desc'])
      for (const [query, matches] of FILTERS)
        test(`${sort} ${order} ${JSON.stringify(query)}: every user once, and the total`, async () => {
          const expected = all.filter(matches).sort(compare(sort, order));
          const found = await listAll({ ...query, sort, order });
          assert.deepEqual(
            found.map(({ id }) => id),
            expected.map(({ id }) => id),
          );
          assert.equal((await page({ ...query, sort, order, limit: '2' })).body.total, expected.length);
        });
});

describe('the order of the user list', () => {
  test('is kept by the pages of a search', async () => {
    for (const sort of ['name', 'joined', 'last_active'])
      for (const order of ['asc', 'desc']) {
        const expected = all
          .filter(({ state, first_name }) => state !== 'deactivated' && /person \d*7/.test(first_name))
          .sort(compare(sort, order));
        const found = (await listAll({ search: 'person', sort, order })).filter(({ first_name }) =>
          first_name.includes('7'),
        );
        assert.ok(expected.length > 50);
        assert.deepEqual(
          found.map(({ id }) => id),
          expected.map(({ id }) => id),
          `${sort} ${order}`,
        );
      }
  });

  test('can be that of the end dates, of users who leave soon', async () => {
    for (const order of ['asc', 'desc'])
      for (const query of [{}, { member: '1' }, { search: 'person' }]) {
        const isFound = 'member' in query ? isMember : any;
        const expected = all.filter((user) => isEnding(user) && isFound(user)).sort(compare('end', order));
        const found = await listAll({ ...query, ending_days: '14', sort: 'end', order, limit: '20' });
        assert.ok(expected.length > 20);
        assert.deepEqual(
          found.map(({ id }) => id),
          expected.map(({ id }) => id),
          `${order} ${JSON.stringify(query)}`,
        );
      }
  });

  test('is by name without saying so, and a cursor fits only its own order', async () => {
    assert.deepEqual(
      (await page({ limit: '50' })).body.records,
      (await page({ limit: '50', sort: 'name' })).body.records,
    );
    const { last_key } = (await page({ limit: '5', sort: 'joined' })).body;
    for (const query of [{}, { sort: 'joined', order: 'desc' }, { sort: 'last_active' }])
      assert.equal((await page({ limit: '5', last_key, ...query })).status, 400);
    assert.equal((await page({ limit: '5', last_key, sort: 'joined' })).status, 200);
  });

  test('refuses what it does not know', async () => {
    for (const query of [
      { sort: 'email' },
      { order: 'up' },
      { inactive_days: '0' },
      { ending_days: '0' },
      { ending_days: '3654' },
      { sort: 'end' },
      { inactive_days: '3651' },
      { inactive_days: '-1' },
      { inactive_days: '1.5' },
      { inactive_days: "1' or true" },
      { active_days: '0' },
      { active_days: '3651' },
      { invited_days: '0' },
      { invited_days: '3651' },
      { sort: ['name', 'joined'] },
    ] as unknown as Record<string, string>[])
      assert.equal((await page(query)).body.id, 'request.invalid', JSON.stringify(query));
  });
});
