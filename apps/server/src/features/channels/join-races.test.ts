import assert from 'node:assert/strict';
import { saveDefaultChannels } from '@steward/contract/channels/defaults';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { channel, findGeneralChannel, type TestChannel } from '#testing/workspace/content.ts';
import { createTeamWithMembers, invite, type TestTeam, user } from '#testing/workspace/factories.ts';
import { acceptInvitation } from '#workspace/access/memberships/invitations.actions.ts';
import { lockOpenDefaults } from './default-channels.store.ts';

let node: TestApp;
let ours: TestTeam;
let general: TestChannel;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
  ours = await createTeamWithMembers(node);
  general = await findGeneralChannel(node, ours.id);
});

afterAll(() => node[Symbol.asyncDispose]());

let old: TestChannel;
let fresh: TestChannel;

beforeEach(async () => {
  [old, fresh] = [await channel(node, ours.id), await channel(node, ours.id)];
  await save([old], false);
});

const save = (channels: readonly TestChannel[], addExisting: boolean) =>
  call(node, saveDefaultChannels, {
    as: ours.admin,
    params: { teamId: ours.id },
    body: { default_channels: [general, ...channels].map(({ id }) => id), add_existing: addExisting },
  });
const listMembers = async ({ id }: TestChannel): Promise<Set<string>> => {
  const rows = await node.db.selectFrom('channel_members').select('person_id').where('channel_id', '=', id).execute();
  return new Set(rows.map(({ person_id }) => person_id));
};
/** Waits until a statement like this waits for a lock; PostgreSQL has no event for that. */
const waiting = async (statement: string) => {
  const findWaiting = () =>
    sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like ${statement}`.execute(node.db);
  while ((await findWaiting()).rows.length === 0);
};

describe('while default channels are being saved', () => {
  test('a member who is joining by the old list is included when current members are added', async () => {
    const coming = await user(node);
    await invite(node, { teamId: ours.id, email: coming.email });
    const arrival = await node.db.startTransaction().execute();
    await acceptInvitation(arrival as never, node.deps, { teamId: ours.id, userId: coming.id, email: coming.email });
    const saving = save([old, fresh], true);
    await waiting('%for no key update%');
    await arrival.commit().execute();
    assert.equal((await saving).status, 200);
    await settled(node);
    for (const one of [old, fresh]) assert.ok((await listMembers(one)).has(coming.id));
  });

  test('a new member joins the new list', async () => {
    const coming = await user(node);
    await invite(node, { teamId: ours.id, email: coming.email });
    const saving = await node.db.startTransaction().execute();
    await sql`select 1 from teams where id = ${ours.id} for no key update`.execute(saving);
    await sql`update default_channels set channel_id = ${fresh.id} where team_id = ${ours.id}`.execute(saving);
    const arriving = inTransaction(node.db, (trx) =>
      acceptInvitation(trx, node.deps, { teamId: ours.id, userId: coming.id, email: coming.email }),
    );
    await waiting('%for share%');
    await saving.commit().execute();
    await arriving;
    assert.deepEqual([await listMembers(old), await listMembers(fresh)], [new Set(), new Set([coming.id])]);
  });

  test('a save that removes a channel waits for the current batch, other saves don’t', async () => {
    await save([old, fresh], false);
    const batch = await node.db.startTransaction().execute();
    const held = await lockOpenDefaults(batch as never, ours.id, [old.id, fresh.id]);
    assert.deepEqual(new Set(held), new Set([old.id, fresh.id]));
    assert.equal((await save([old, fresh, await channel(node, ours.id)], false)).status, 200);
    const saving = save([old], false);
    await waiting('%default_channels%for update%');
    await batch.rollback().execute();
    assert.equal((await saving).status, 200);
  });
});
