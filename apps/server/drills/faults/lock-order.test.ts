import assert from 'node:assert/strict';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { endpoints } from '@steward/contract/api/endpoints';
import { saveDefaultChannels } from '@steward/contract/channels/defaults';
import { removeEntry, saveEntries, uploadEntries } from '@steward/contract/directory';
import { saveUser } from '@steward/contract/users';
import { sql } from 'kysely';
import { afterAll, beforeAll, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { channel, findGeneralChannel } from '#testing/workspace/content.ts';
import { entries, entry, row } from '#testing/workspace/directory.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';

const ROUNDS = Number(process.env.FAULT_ROUNDS ?? 5);

let node: TestApp;
let second: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false, pool: 10 });
  second = await startApp({ beside: node, work: false, pool: 10 });
  team = await createTeamWithMembers(node);
  // Slow row changes, so that two calls with opposite orders always overlap.
  await sql`create function slowly() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.01); return new; end $$`.execute(node.db);
  for (const table of ['directory_entries', 'memberships', 'people', 'retention_policies', 'default_channels'])
    await sql`create trigger slowly before insert or update on ${sql.table(table)}
      for each row execute function slowly()`.execute(node.db);
});

afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

const retention = (name: string): AnyEndpoint => endpoints.find((each) => each.name === name) ?? assert.fail(name);
const messages = (value: number) => {
  const rule = { value, ...(value === 1 ? { duration: { count: 1, period: 'y' } } : {}) };
  return { public_channels: rule, private_channels: rule, direct_messages: rule };
};

/** The same call by an admin and an owner, each on another node, with lists in opposite orders. */
function both(
  endpoint: AnyEndpoint,
  body: (isFirst: boolean) => unknown,
  more: Record<string, string> = {},
): Promise<Reply>[] {
  const params = { teamId: team.id, ...more };
  return [
    call(node, endpoint, { as: team.admin, params, body: body(true) }),
    call(second, endpoint, { as: team.owner, params, body: body(false) }),
  ];
}

const order = <T>(list: readonly T[], isFirst: boolean): T[] => (isFirst ? [...list] : list.toReversed());

async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select deadlocks as n from pg_stat_database
    where datname = current_database()`.execute(node.db);
  return rows[0]?.n ?? 0;
}

test('two admins who change the same rows in opposite order both get a response, and no server error', async () => {
  const [one, two] = [await channel(node, team.id), await channel(node, team.id)];
  const general = await findGeneralChannel(node, team.id);
  const members = [await user(node, { team: team.id }), await user(node, { team: team.id })];
  const statuses = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const list = await entries(
      node,
      team.id,
      Array.from({ length: 6 }, (_, at) => ({ name: `Entry ${at}` })),
    );
    const named = (isFirst: boolean) => order(list, isFirst).map(({ id }) => ({ id, name: `${round} ${isFirst}` }));
    const replies = await Promise.all([
      ...both(saveEntries, named),
      ...both(uploadEntries, (isFirst) => named(!isFirst).map(row)),
      ...both(removeEntry, () => undefined, { entryId: list[round % 6]?.id ?? '' }),
      ...both(saveDefaultChannels, (isFirst) => ({
        default_channels: [general.id, ...order([one.id, two.id], isFirst)].slice(0, 2 + (round % 2)),
      })),
      ...[0, 1].flatMap((at) =>
        both(saveUser, (isFirst) => ({
          email: order(members, isFirst)[at]?.email,
          first_name: `Name ${round}`,
          account_type: isFirst === (round % 2 === 0) ? 1 : 2,
        })),
      ),
      ...both(retention('saveMessageRetention'), (isFirst) => messages(isFirst ? 1 : 0)),
      ...both(retention('saveFileRetention'), (isFirst) => ({
        value: isFirst ? 0 : 1,
        duration: { count: 1, period: 'y' },
      })),
    ]);
    for (const { status, text } of replies) {
      assert.ok([200, 404, 409].includes(status), text);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    // One of the two lists must be saved whole, not a mix.
    const names =
      await sql`select distinct name from directory_entries where id = any(${list.map(({ id }) => id)})`.execute(
        node.db,
      );
    assert.ok(names.rows.length <= 1, JSON.stringify(names.rows));
  }
  console.log(`${JSON.stringify(Object.fromEntries(statuses))}; PostgreSQL ended ${await deadlocks()} deadlocks`);
});

test('a change that PostgreSQL ends for a deadlock is tried again, and answered with 409 when that does not help', async () => {
  await sql`create sequence attempts`.execute(node.db);
  await sql`create function deadlocked() returns trigger language plpgsql as $$ begin
    if new.name like 'twice %' and nextval('attempts') <= 2 or new.name like 'always %' then
      raise exception 'deadlock detected' using errcode = '40P01'; end if;
    return new; end $$`.execute(node.db);
  await sql`create trigger deadlocked before update on directory_entries for each row execute function deadlocked()`.execute(
    node.db,
  );
  const { id } = await entry(node, team.id);
  const rename = (name: string) =>
    call(node, saveEntries, { as: team.admin, params: { teamId: team.id }, body: [{ id, name }] });
  const edits = async () => (await auditRows(node, 'directory.edited')).length;
  const before = await edits();
  const name = `twice ${newId()}`;
  const reply = await rename(name);
  assert.deepEqual([reply.status, reply.body.records[0].name], [200, name], reply.text);
  assert.equal(await edits(), before + 1, 'and noted once');
  const never = await rename(`always ${newId()}`);
  assert.deepEqual([never.status, never.body.id], [409, 'record.conflict']);
  assert.doesNotMatch(never.text, /deadlock/);
  assert.equal(await edits(), before + 1);
});
