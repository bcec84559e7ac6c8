import assert from 'node:assert/strict';
import { signUp } from '@steward/contract/signup';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { newId } from '#platform/database/ids.ts';
import { call, toComparable } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { dumpDatabase } from '#testing/database/dump-database.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { extractMailToken } from '#testing/peers/inbox.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { checkLink, finishLink, sendSignUp } from '#testing/workspace/signup.ts';
import { auditRows, snapshotTables } from '#testing/workspace/snapshot-tables.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 8 });
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const someone = () => `${newId()}@example.test`;

async function storedFor(owner_email: string) {
  const { rows } = await sql<{ team_name: string; invitees: string[]; hours: number }>`select team_name, invitees,
    extract(epoch from expires_at - now()) / 3600 as hours from signups where owner_email = ${owner_email}
    order by created_at`.execute(node.db);
  return rows;
}

describe('signing up a team', () => {
  test('stores the request for a day and emails the owner a link', async () => {
    const [owner_email, first, second] = [someone(), someone(), someone()];
    const reply = await sendSignUp(node, { team_name: ' Acme \t GmbH ', owner_email, invitees: [first, second] });
    assert.deepEqual([reply.status, reply.body, reply.setCookies], [200, { status_code: 200 }, []]);
    const mail = await node.inbox.next(owner_email);
    assert.equal(mail.subject, 'Confirm your team Acme GmbH on Steward');
    assert.match(
      mail.text,
      /to create the team .* and invite 2 people\.[\s\S]* 24 hours, on \w+ \d+, \d{4} at .* UTC, and can be used once/,
    );
    assert.match(mail.text, /\nhttp:\/\/steward\.test\/signup_confirm\?token=[\w-]{43}\n/);
    assert.match(mail.text, /ignore this email\. Nothing is created until the link is opened and you sign in/);
    const [stored] = await storedFor(owner_email);
    assert.partialDeepStrictEqual(stored, { team_name: 'Acme GmbH', invitees: [first, second] });
    assert.ok(Math.abs((stored?.hours ?? 0) - 24) < 0.1);
    assert.deepEqual((await auditRows(node, 'signup.requested')).at(-1), {
      team_id: '',
      actor_id: null,
      target: null,
      details: { limited: false, invitees: 2 },
    });
    for (const email of [first, second]) assert.deepEqual(node.inbox.waiting(email), [], 'no one is invited yet');
  });

  test('gives the team the time zone of the request, and UTC without one', async () => {
    for (const time_zone of ['Asia/Kolkata', undefined]) {
      const owner_email = someone();
      assert.equal((await sendSignUp(node, { owner_email, ...(time_zone && { time_zone }) })).status, 200);
      const mail = await node.inbox.next(owner_email);
      assert.match(mail.text, time_zone ? /India Standard Time/ : / UTC, and/);
      const token = extractMailToken(mail);
      await checkLink(node, token);
      assert.equal((await finishLink(node, token)).status, 200);
      const { rows } = await sql<{ time_zone: string }>`select t.time_zone from teams t
        join memberships m on m.team_id = t.id join people p on p.id = m.person_id
        where p.email = ${owner_email}`.execute(node.db);
      assert.deepEqual(rows, [{ time_zone: time_zone ?? 'UTC' }]);
    }
    const refused = await sendSignUp(node, { owner_email: someone(), time_zone: 'Mars/Olympus' });
    assert.deepEqual([refused.status, refused.body.id], [400, 'request.invalid']);
  });

  test('accepts up to ten addresses, without duplicates in any case, and leaves out the owner', async () => {
    const owner_email = someone();
    const ten = Array.from({ length: 10 }, someone);
    assert.equal((await sendSignUp(node, { owner_email, invitees: [...ten, someone()] })).body.id, 'request.invalid');
    assert.deepEqual(await storedFor(owner_email), []);
    assert.equal((await sendSignUp(node, { owner_email, invitees: ten })).status, 200);
    const [one = ''] = ten;
    const doubled = [one, ` ${one.toUpperCase()} `, one, owner_email, owner_email.toUpperCase()];
    assert.equal(
      (await sendSignUp(node, { owner_email: ` ${owner_email.toUpperCase()}`, invitees: doubled })).status,
      200,
    );
    assert.equal((await sendSignUp(node, { owner_email, invitees: undefined })).status, 200);
    const rows = await storedFor(owner_email);
    assert.deepEqual(
      rows.map(({ invitees }) => invitees),
      [ten, [one], []],
    );
  });

  test('refuses lists, objects, numbers and web addresses in its fields, and stores nothing', async () => {
    await settled(node);
    const before = await snapshotTables(node);
    const right = { team_name: 'Acme', owner_email: someone() };
    const wrong = [
      ...[['Acme'], { $ne: null }, 7, true, null, '', ' \n ', '\u200b', 'x'.repeat(101), 'A\0', '\ud800'].map(
        (team_name) => ({ team_name }),
      ),
      ...['https://evil.example', 'see www.evil.example', 'a HTTP://b'].map((team_name) => ({ team_name })),
      ...[[right.owner_email], { $ne: null }, 7, null, '', 'x@y', `a@example.test\r\nBcc: b@example.test`].map(
        (owner_email) => ({ owner_email }),
      ),
      ...['kım@example.test', `${right.owner_email},b@example.test`].map((owner_email) => ({ owner_email })),
      ...['a@example.test', { 0: 'a@example.test' }, 7, null, [7], [null], [['a@example.test']], ['no address']].map(
        (invitees) => ({ invitees }),
      ),
    ];
    for (const fault of wrong) {
      const reply = await sendSignUp(node, { ...right, ...fault });
      assert.equal(reply.body.id, 'request.invalid', JSON.stringify(fault));
    }
    assert.equal((await sendSignUp(node, { ...right, more: 'x'.repeat(17_000) })).status, 413);
    assert.deepEqual(await snapshotTables(node), before);
  });

  test('shows the team name in every email as text, on one line in the subject, and never as a link', async () => {
    const [owner_email, invitee] = [someone(), someone()];
    const team_name = '<b onclick="x">A&B</b> evil.example\r\nBcc: c@d';
    await sendSignUp(node, { team_name, owner_email, invitees: [invitee] });
    const mail = await node.inbox.next(owner_email);
    const token = extractMailToken(mail);
    await checkLink(node, token);
    assert.equal((await finishLink(node, token)).status, 200);
    for (const { subject, text, html, to } of [mail, await node.inbox.next(invitee)]) {
      assert.match(subject, /<b onclick="x">A&B<\/b> evil\.\u2060example Bcc: c@d on Steward$/);
      assert.match(text, /“<b onclick="x">A&B<\/b> evil\.\u2060example Bcc: c@d”/);
      assert.ok(html.includes('&#60;b onclick=&#34;x&#34;&#62;A&#38;B&#60;/b&#62; evil.\u2060example'), html);
      assert.doesNotMatch(html, /<b |evil\.e/);
      assert.ok([owner_email, invitee].includes(to));
    }
  });

  test('links to the configured address, whatever Host the request has', async () => {
    const owner_email = someone();
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
    assert.equal((await sendSignUp(node, { owner_email }, { headers })).status, 200);
    const mail = await node.inbox.next(owner_email);
    assert.ok(mail.html.includes(`href="http://steward.test/signup_confirm?token=${extractMailToken(mail)}"`));
    assert.doesNotMatch(mail.text + mail.html, /evil/);
  });

  test('gets the same response for every address, and sends an email to each', async () => {
    const inactive = [await user(node, { deactivated: true }), team.zendesk, team.pending];
    const addresses = [someone(), team.owner.email, ...inactive.map(({ email }) => email)];
    const replies = [];
    for (const owner_email of addresses) replies.push(toComparable(await sendSignUp(node, { owner_email })));
    for (const reply of replies) assert.deepEqual(reply, replies[0]);
    const subjects = await Promise.all(addresses.map(async (email) => (await node.inbox.next(email)).subject));
    assert.equal(new Set(subjects).size, 1);
  });

  test('keeps requests separate: a newer one doesn’t change what an older link creates', async () => {
    const [owner_email, friend] = [someone(), someone()];
    await sendSignUp(node, { team_name: 'Mine', owner_email, invitees: [friend] });
    const mine = extractMailToken(await node.inbox.next(owner_email));
    await sendSignUp(node, { team_name: 'Theirs', owner_email, invitees: [someone()] });
    const theirs = extractMailToken(await node.inbox.next(owner_email));
    assert.partialDeepStrictEqual((await checkLink(node, mine)).body, { team_name: 'Mine' });
    assert.partialDeepStrictEqual((await checkLink(node, theirs)).body, { team_name: 'Theirs' });
    assert.equal((await finishLink(node, mine)).status, 200);
    assert.match((await node.inbox.next(friend)).subject, /Mine/);
  });
});

describe('rate limits of sign-ups', () => {
  test('at most five requests an hour from one IP address, counted over all nodes, whatever a header says', async () => {
    await using other = await startApp({ beside: node, work: false });
    const signUpFrom = async (nth: number, from: string) => {
      const body = { team_name: 'Acme', owner_email: someone() };
      const headers = { 'x-forwarded-for': `198.51.100.${nth}`, forwarded: `for=198.51.100.${nth}` };
      return (await call(nth % 2 ? node : other, signUp, { body, from, headers })).body.id;
    };
    const ids = [];
    for (let nth = 0; nth < 7; nth += 1) ids.push(await signUpFrom(nth, '203.0.113.5'));
    assert.deepEqual(ids, [...Array(5).fill(undefined), 'rate.limited', 'rate.limited']);
    assert.equal(await signUpFrom(8, '203.0.113.6'), undefined);
    const wrong = { body: { team_name: '', owner_email: 'x' }, from: '203.0.113.7' };
    for (let nth = 0; nth < 6; nth += 1) assert.equal((await call(node, signUp, wrong)).status, 400);
    assert.equal(await signUpFrom(9, '203.0.113.7'), undefined, 'an invalid request does not count');
  });

  test('at most three emails an hour to one owner; the fourth request gets the same response and stores only its audit row', async () => {
    const owner_email = someone();
    const replies = [];
    for (let nth = 0; nth < 4; nth += 1) replies.push(await sendSignUp(node, { owner_email }));
    for (const reply of replies) assert.deepEqual(toComparable(reply), toComparable(replies[0]!));
    await settled(node);
    assert.equal(node.inbox.waiting(owner_email).length, 3);
    assert.equal((await storedFor(owner_email)).length, 3);
    assert.deepEqual(
      (await auditRows(node, 'signup.requested')).slice(-2).map(({ details }) => details.limited),
      [false, true],
    );
  });
});

test('no table, job or log line contains a token or password in plain text, and no log line an email address', async () => {
  const [owner_email, invitee] = [someone(), someone()];
  await sendSignUp(node, { owner_email, invitees: [invitee] });
  const token = extractMailToken(await node.inbox.next(owner_email));
  await checkLink(node, token);
  const password = `very secret ${newId()}`;
  assert.equal((await finishLink(node, token, { password: `${password}!`, password2: password })).status, 400);
  assert.equal((await finishLink(node, token, { password, password2: password })).status, 200);
  const invited = extractMailToken(await node.inbox.next(invitee));
  await checkLink(node, invited);
  const dump = await dumpDatabase(node);
  for (const secret of [token, invited, password]) {
    assert.ok(!dump.includes(secret));
    for (const line of node.log) assert.ok(!line.includes(secret), line);
  }
  for (const line of node.log) assert.ok(!line.includes(invitee) && !line.includes(owner_email), line);
});
