import assert from 'node:assert/strict';
import { savePreferences } from '@steward/contract/account/preferences';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { setNow } from '#testing/workspace/ends.ts';
import { createTeamWithMembers, type SignedInUser, type TestTeam } from '#testing/workspace/factories.ts';
import { sendMonthlyEmails } from './monthly-email.job.ts';

let node: TestApp;
let ours: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

beforeEach(async () => {
  await sql`delete from mails`.execute(node.db);
  await sql`update people set wanted_emails = '{}'`.execute(node.db);
  ours = await createTeamWithMembers(node, 'Acme');
  await at('2027-03-01T07:59:00Z');
});

afterAll(() => node[Symbol.asyncDispose]());

const at = (moment: string) => setNow(node, Date.parse(moment));
const want = async (as: SignedInUser, monthly = true) => {
  const { status } = await call(node, savePreferences, { as, body: { emails: { monthly } } });
  assert.equal(status, 200);
};

/** Runs the job, and returns to whom it sent the email. */
async function send(): Promise<string[]> {
  await sql`delete from mails`.execute(node.db);
  for (const _ of ['once', 'and again']) await sendMonthlyEmails(node.deps);
  const rows = await node.db.selectFrom('mails').select('recipient').where('kind', '=', 'notices.monthly').execute();
  return rows.map(({ recipient }) => recipient);
}

describe('the monthly email', () => {
  test('goes once, on the first of the month from eight where the team is, to owners who asked for it', async () => {
    await want(ours.owner);
    await want(ours.admin);
    assert.deepEqual(await send(), [], 'a minute too early');
    await at('2027-03-01T08:00:00Z');
    assert.deepEqual(await send(), [ours.owner.email]);
    await at('2027-03-02T08:00:00Z');
    assert.deepEqual(await send(), [], 'it was sent yesterday');
    await at('2027-04-01T08:00:00Z');
    assert.deepEqual(await send(), [ours.owner.email]);
  });

  test('follows the time zone of the team', async () => {
    await want(ours.owner);
    await sql`update teams set time_zone = 'America/New_York' where id = ${ours.id}`.execute(node.db);
    await at('2027-03-01T12:59:00Z');
    assert.deepEqual(await send(), []);
    await at('2027-03-01T13:00:00Z');
    assert.deepEqual(await send(), [ours.owner.email]);
  });

  test('is sent late within the first week if the server was down, and not in the middle of a month', async () => {
    await want(ours.owner);
    await at('2027-03-08T09:00:00Z');
    assert.deepEqual(await send(), []);
    await at('2027-03-07T09:00:00Z');
    assert.deepEqual(await send(), [ours.owner.email]);
  });

  test('goes to nobody who switched it off, or is no owner of the team anymore', async () => {
    await at('2027-03-01T08:00:00Z');
    assert.deepEqual(await send(), [], 'nobody gets it before asking for it');
    await want(ours.owner);
    await want(ours.owner, false);
    assert.deepEqual(await send(), []);
  });
});
