import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { killableServer } from '#testing/app/killable-server.ts';
import { startApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers, signedIn, team } from '#testing/workspace/factories.ts';
import { invitationLink } from '#testing/workspace/signup.ts';
import { addInvitations } from '#workspace/users/memberships.store.ts';

const PEOPLE = 60;
const MAXIMUM = 50;
/** Use `KILLS=20` before a release. */
const KILLS = Number(process.env.KILLS ?? 3);

test(`of ${PEOPLE} people who join by a link while the server is killed ${KILLS} times, ${MAXIMUM} are members, and each counts once`, async () => {
  await using node = await startApp({ work: false });
  using server = killableServer(node);
  const ours = await createTeamWithMembers(node);
  const link = await invitationLink(node, { teamId: ours.id, createdBy: ours.owner.id, maxUses: MAXIMUM });
  const others = await team(node);
  const people = [];
  for (let at = 0; at < PEOPLE; at += 1) people.push(await signedIn(node, { team: others }));
  const inviting = { teamId: ours.id, invitedBy: ours.owner.id, linkId: link.id };
  const users = people.map(({ email }) => ({ email, roles: ['team_user'] }));
  await inTransaction(node.db, (trx) => addInvitations(trx, inviting, users));

  let url = await server.start();
  const accept = async ({ cookie }: { cookie: string }) => {
    const { status } = await fetch(`${url}/api/v4/users/me/invitations/${ours.id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ accept: true }),
    });
    return status;
  };
  const acknowledged = new Set<string>();
  const waiting = [...people];
  for (let round = 0; waiting.length > 0; round += 1) {
    const batch = waiting.slice(0, Math.ceil(PEOPLE / KILLS));
    const sent = batch.map((each) => accept(each).catch(() => undefined));
    if (round < KILLS) {
      // Each kill hits the transactions at another point.
      await Promise.race([Promise.all(sent), new Promise((resolve) => setTimeout(resolve, round * 4))]);
      await server.kill();
    }
    const statuses = await Promise.all(sent);
    for (const [at, each] of batch.entries()) {
      if (statuses[at] === 200) acknowledged.add(each.id);
      // Someone who has joined, or for whom no place is left, is told that there is no invitation.
      if (statuses[at] === 200 || statuses[at] === 404) waiting.splice(waiting.indexOf(each), 1);
      else assert.equal(statuses[at], undefined, 'only a killed server gives no answer');
    }
    if (round < KILLS) url = await server.start();
  }
  const { rows: joined } = await sql<{ id: string }>`select person_id as id from memberships
    where team_id = ${ours.id} and invitation_link_id = ${link.id} and email is null`.execute(node.db);
  const { rows: uses } = await sql<{ uses: number }>`select uses from invitation_links
    where id = ${link.id}`.execute(node.db);
  assert.deepEqual([joined.length, uses], [MAXIMUM, [{ uses: MAXIMUM }]]);
  const ids = new Set(joined.map(({ id }) => id));
  for (const id of acknowledged) assert.ok(ids.has(id), 'every acknowledged answer is kept');
});
