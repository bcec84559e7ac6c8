import assert from 'node:assert/strict';
import { type AuditRecord, listAuditEvents } from '@steward/contract/audit';
import { saveDefaultChannels } from '@steward/contract/channels/defaults';
import { addEntries, removeEntry, saveEntries } from '@steward/contract/directory';
import { addToken, removeToken } from '@steward/contract/tokens';
import { saveUser } from '@steward/contract/users';
import { cancelInvitation } from '@steward/contract/users/invitations';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { isOfThisRun } from '#testing/system/this-run.ts';
import { channel, findGeneralChannel, ingest, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam, user } from '#testing/workspace/factories.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { removeMembership } from '#workspace/users/memberships.store.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ work: false });
});

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

afterAll(() => node[Symbol.asyncDispose]());

const ask = (query: Record<string, string> = {}, as = team.admin) =>
  call(node, listAuditEvents, { as, params: { teamId: team.id }, query });
async function log(query: Record<string, string> = {}): Promise<AuditRecord[]> {
  const { status, body, text } = await ask(query);
  assert.equal(status, 200, text);
  return body.records;
}
const change = async (endpoint: Parameters<typeof call>[1], sending: object, as = team.admin) => {
  const { params, ...rest } = sending as { params?: object };
  const reply = await call(node, endpoint, { as, params: { teamId: team.id, ...params }, ...rest });
  assert.equal(reply.status, 200, reply.text);
  return reply;
};

const COUNTS = { scanned: 4, deleted: 3, bytes: 2, failed: 1 };
const RUN = { kind: 'voicemails', cutoff: 1_000, held: 0, state: 'finished', note: '', ...COUNTS };

interface NewRow {
  action?: string;
  actor?: string | null;
  target?: string;
  /** Milliseconds. */
  at?: number;
  details?: object;
}

/** Inserts rows with arbitrary times, which real changes can't have. */
async function rows(newRows: readonly NewRow[], teamId = team.id): Promise<string[]> {
  const values = newRows.map(({ actor = team.admin.id, ...row }) => ({
    team_id: teamId,
    id: newId(),
    at: new Date(row.at ?? 1_000),
    actor_id: actor,
    action: row.action ?? 'users.edited',
    target: row.target ?? newId(),
    details: JSON.stringify(row.details ?? {}),
    address: '192.0.2.1',
    request_id: newId(),
  }));
  await node.db.insertInto('audit_events').values(values).execute();
  return values.map(({ id }) => id);
}

describe('a row of the audit log', () => {
  test('says who changed what, when, from where, and what it was before', async () => {
    const { body } = await change(addEntries, { body: [{ name: 'Reception', sms: '1' }] });
    const [{ id }] = body.records;
    const edit = await change(saveEntries, { body: [{ id, name: 'Front desk' }], from: '192.0.2.9' }, team.owner);
    const [line = assert.fail()] = await log();
    assert.partialDeepStrictEqual(line, {
      by: 'person',
      actor: { id: team.owner.id, name: 'Some Body', email: team.owner.email },
      action: 'directory.edited',
      target: id,
      target_name: 'Front desk',
      details: { before: [{ name: 'Reception', sms: '1' }], after: [{ name: 'Front desk', sms: '1' }] },
      left_out: 0,
      address: '192.0.2.9',
      request_id: edit.headers['x-request-id'],
    });
    assert.ok(isOfThisRun(line.at));
  });

  test('names deleted targets by their last name', async () => {
    const { body } = await change(addEntries, { body: [{ name: 'Reception' }] });
    await change(removeEntry, { params: { entryId: body.records[0].id } });
    const token = (await change(addToken, { body: { name: 'Chat service' } }, team.owner)).body;
    await change(removeToken, { params: { tokenId: token.id } }, team.owner);
    assert.deepEqual(
      (await log()).map(({ action, target_name }) => [action, target_name]),
      [
        ['tokens.removed', 'Chat service'],
        ['tokens.added', 'Chat service'],
        ['directory.deleted', 'Reception'],
        ['directory.added', 'Reception'],
      ],
    );
  });

  test('names a pending invitee by the typed address, and no user who has left the team', async () => {
    const email = `${newId()}@example.test`;
    await change(saveUser, { body: { email, account_type: 2 } });
    const [invited] = await log();
    assert.deepEqual([invited?.action, invited?.target_name], ['users.invited', email]);
    await change(cancelInvitation, { params: { userId: invited?.target ?? '' } });
    assert.deepEqual(
      (await log()).slice(0, 2).map(({ action, target_name }) => [action, target_name]),
      [
        ['users.invitation_cancelled', ''],
        ['users.invited', ''],
      ],
    );
  });

  test('distinguishes the operator, services and background jobs from users', async () => {
    const service = await serviceToken(node, team.id, { name: 'Phone system' });
    await ingest(node, service, [{ kind: 'note', external_id: 'n', created_at: 1 }]);
    const event = { teamId: team.id, actorId: null, target: null };
    await inTransaction(node.db, async (trx) => {
      await addAuditEvent(trx, node.deps, { ...event, action: 'retention.ran', details: RUN, origin: JOB_ORIGIN });
      const operator = { requestId: newId(), address: 'operator', userAgent: '' };
      await addAuditEvent(trx, node.deps, {
        ...event,
        action: 'teams.filled',
        details: { seed: 1, people: 2 },
        origin: operator,
      });
    });
    const lines = new Map((await log()).map((line) => [line.action, line]));
    const origin = ({ by, actor, address }: AuditRecord) => [by, actor, address];
    assert.deepEqual(origin(lines.get('retention.ran') ?? assert.fail()), ['itself', null, '']);
    assert.deepEqual(origin(lines.get('teams.filled') ?? assert.fail()), ['operator', null, '']);
    const imported = lines.get('content.added') ?? assert.fail();
    assert.deepEqual(origin(imported), ['service', null, '127.0.0.1']);
    assert.deepEqual(Object.values(imported.names), ['Phone system']);
  });

  test('shows its channels, but private ones only to their members', async () => {
    const open = await channel(node, team.id, { displayName: 'Open' });
    const hidden = await channel(node, team.id, { type: 'P', displayName: 'Hidden', members: [team.owner.id] });
    const general = await findGeneralChannel(node, team.id);
    const choose = (ids: string[]) =>
      change(saveDefaultChannels, { body: { default_channels: [general.id, ...ids] } }, team.owner);
    await choose([open.id, hidden.id]);
    const shown = async () => Object.values((await log({ action: 'channels' }))[0]?.names ?? {}).sort();
    assert.deepEqual(await shown(), ['Hidden', 'Open'], 'every admin sees the default channels on their screen');
    await choose([]);
    assert.deepEqual(await shown(), ['Open']);
    const everything = JSON.stringify(await log());
    assert.match(everything, new RegExp(open.id));
    assert.doesNotMatch(everything, new RegExp(hidden.id), 'nor is its id anywhere');
    const { body } = await ask({ action: 'channels' }, team.owner);
    assert.deepEqual(
      Object.values(body.records[0].names).sort(),
      ['Hidden', 'Open'],
      'a member of the channel sees its name',
    );
  });

  test('shows only the id of a former member', async () => {
    const { id } = await user(node, { team: team.id, first_name: 'Zoe', last_name: 'Gone' });
    await rows([{ actor: id, target: id }]);
    await inTransaction(node.db, (trx) => removeMembership(trx, team.id, id));
    const [line = assert.fail()] = await log();
    assert.deepEqual([line.actor, line.target, line.target_name], [{ id, name: '', email: '' }, id, '']);
  });

  test('has the version of its details beside them, 1 if it is from before versions', async () => {
    const email = `${newId()}@example.test`;
    await change(saveUser, { body: { email, account_type: 2 } });
    const [current = assert.fail()] = await log();
    assert.deepEqual([current.version, current.details], [3, { account_type: 2 }]);
    await rows([{ details: { email } }, { details: { email, v: 7 }, at: 2_000 }]);
    const stored = (await log()).slice(1).map(({ version, details }) => [version, details]);
    assert.deepEqual(stored, [
      [7, { email }],
      [1, { email }],
    ]);
  });

  test('of a large change counts the items left out', async () => {
    await change(addEntries, { body: Array.from({ length: 60 }, (_, at) => ({ name: `Entry ${at}` })) });
    const [line = assert.fail()] = await log();
    assert.equal((line.details.entries as unknown[]).length, 50);
    assert.deepEqual([line.left_out, line.target, line.target_name], [10, '', '']);
  });
});

describe('pages', () => {
  test('list each row once, newest first, even if many have the same time', async () => {
    const ids = await rows(Array.from({ length: 25 }, (_, at) => ({ at: at < 20 ? 5_000 : 1_000 * at })));
    const expected = [...ids.slice(20).reverse(), ...ids.slice(0, 20).sort().reverse()];
    for (const limit of ['1', '7', '25']) {
      const seen: string[] = [];
      for (let key: string | null = ''; key !== null; ) {
        const { body }: Awaited<ReturnType<typeof ask>> = await ask({ limit, ...(key && { last_key: key }) });
        assert.equal(body.reset, key === '' ? true : undefined);
        seen.push(...body.records.map(({ id }: AuditRecord) => id));
        key = body.last_key;
      }
      assert.deepEqual(seen, expected, `${limit} a page`);
    }
  });

  test('are in the order of microseconds, without losing rows between pages', async () => {
    const ids = await rows(Array.from({ length: 4 }, () => ({ at: 7_000 })));
    // A trigger prevents changes of rows.
    await sql`alter table audit_events disable trigger audit_events_final`.execute(node.db);
    for (const [at, id] of ids.entries())
      await sql`update audit_events set at = at + ${3 - at}::int * interval '1 microsecond' where id = ${id}`.execute(
        node.db,
      );
    await sql`alter table audit_events enable trigger audit_events_final`.execute(node.db);
    const first = await ask({ limit: '2' });
    const second = await ask({ limit: '2', last_key: first.body.last_key });
    const seen = [...first.body.records, ...second.body.records].map(({ id }: AuditRecord) => id);
    assert.deepEqual(seen, ids);
  });

  test('stay within the filter, and a key of another filter or team is refused', async () => {
    await rows(Array.from({ length: 6 }, (_, at) => ({ action: at % 2 ? 'tokens.added' : 'users.edited', at })));
    const first = await ask({ action: 'tokens', limit: '2' });
    const { last_key } = first.body;
    const next = await ask({ action: 'tokens', limit: '2', last_key });
    assert.deepEqual(
      [...first.body.records, ...next.body.records].map(({ action, at }: AuditRecord) => [action, at]),
      [
        ['tokens.added', 5],
        ['tokens.added', 3],
        ['tokens.added', 1],
      ],
    );
    assert.equal((await ask({ action: 'users', limit: '2', last_key })).body.id, 'request.invalid');
    const other = await createTeamWithMembers(node);
    const params = { teamId: other.id };
    const foreign = await call(node, listAuditEvents, {
      as: other.admin,
      params,
      query: { action: 'tokens', last_key },
    });
    assert.equal(foreign.body.id, 'request.invalid');
  });
});

describe('filters', () => {
  test('by actor, action, target and time work alone and combined', async () => {
    const target = newId();
    const [a, b, c, d, e] = (await rows([
      { action: 'users.edited', actor: team.admin.id, target, at: 1_000 },
      { action: 'users.invited', actor: team.owner.id, at: 2_000 },
      { action: 'tokens.added', actor: team.owner.id, target, at: 3_000 },
      { action: 'retention.ran', actor: null, at: 4_000 },
      { action: 'tokens.removed', actor: team.owner.id, at: 5_000 },
    ])) as [string, string, string, string, string];
    const cases: [Record<string, string>, string[]][] = [
      [{}, [e, d, c, b, a]],
      [{ actor: team.owner.id }, [e, c, b]],
      [{ actor: 'none' }, [d]],
      [{ actor: newId() }, []],
      [{ action: 'users' }, [b, a]],
      [{ action: 'users.invited,tokens' }, [e, c, b]],
      [{ action: 'signup' }, []],
      [{ target }, [c, a]],
      [{ from: '2000', to: '4000' }, [c, b]],
      [{ from: '4001' }, [e]],
      [{ to: '1000' }, []],
      [{ from: '5000', to: '1000' }, []],
      [{ actor: team.owner.id, action: 'tokens', from: '4000' }, [e]],
      [{ target, action: 'tokens', actor: team.owner.id, from: '1', to: '9999' }, [c]],
      [{ target, actor: 'none' }, []],
    ];
    for (const [query, expected] of cases)
      assert.deepEqual(
        (await log(query)).map(({ id }) => id),
        expected,
        JSON.stringify(query),
      );
  });

  test('that are invalid are refused, with the name of the field', async () => {
    const wrong: [string, string][] = [
      ['actor', 'unknown'],
      ['actor', ''],
      ['action', ''],
      ['action', 'users,'],
      ['action', "users' or 1=1 --"],
      ['action', 'x'.repeat(3_000)],
      ['target', 'x'],
      ['from', '-1'],
      ['from', '1.5'],
      ['to', '9999999999999999'],
      ['limit', '2001'],
    ];
    for (const [field, value] of wrong) {
      const { status, body } = await ask({ [field]: value });
      assert.deepEqual([status, body.id], [400, 'request.invalid'], `${field}=${value}`);
      assert.match(body.message, new RegExp(`^${field}: `));
    }
  });
});

describe('isolation of teams', () => {
  test('rows of other teams, or of no team, are never listed, with any filter', async () => {
    const twin = await createTeamWithMembers(node);
    const target = newId();
    await rows([{ actor: team.owner.id, target, action: 'tokens.added' }], twin.id);
    await rows([{ actor: team.owner.id, target, action: 'session.signed_in' }], '');
    for (const query of [{}, { target }, { actor: team.owner.id }, { action: 'tokens,session' }, { from: '0' }])
      assert.deepEqual(await log(query), []);
  });

  test('ids of another team have no names', async () => {
    const twin = await createTeamWithMembers(node);
    const theirs = await serviceToken(node, twin.id, { name: 'Their service' });
    await rows([{ actor: twin.owner.id, target: theirs.id }]);
    const [line = assert.fail()] = await log();
    assert.deepEqual([line.actor?.name, line.actor?.email, line.target_name, line.names], ['', '', '', {}]);
  });
});
