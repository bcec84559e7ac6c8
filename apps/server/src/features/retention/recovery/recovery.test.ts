import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { listRetentionRuns, type RetentionRun } from '@steward/contract/retention';
import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import { listHolds } from '@steward/contract/retention/holds';
import { getRecovery, restoreRun, saveRecovery } from '@steward/contract/retention/recovery';
import { isMarkable } from '@steward/contract/retention/rules';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, test } from 'vitest';
import { createSecrets } from '#platform/security/secrets.ts';
import { call } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { settled } from '#testing/faults/wait-for-jobs.ts';
import { waitForLockWaiter } from '#testing/faults/wait-for-lock.ts';
import { findGeneralChannel, ingest, isKept, serviceToken } from '#testing/workspace/content.ts';
import { createTeamWithMembers, signIn, type TestTeam, user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { addChannels, addItem, getIds, runNow, setRule } from '#testing/workspace/retention.ts';
import { auditRows } from '#testing/workspace/snapshot-tables.ts';
import { openArchiveKey } from '../archive/archive-key.ts';
import { writeObject } from '../archive/archive-object.ts';
import { startTeamRuns } from '../runs/runs.actions.ts';
import { createExpireArchivesWorker } from './expire-archives.job.ts';
import { createRestoreWorker } from './restore.job.ts';

let node: TestApp;
let team: TestTeam;

beforeAll(async () => {
  node = await startApp({ pool: 4 });
});

afterAll(() => node[Symbol.asyncDispose]());

beforeEach(async () => {
  team = await createTeamWithMembers(node);
});

const OLD = Date.UTC(2020, 0, 1);
const A_DAY = { value: 1 as const, duration: { count: 1, period: 'd' as const } };
const attempt = { isLast: false } as never;

const rules = (kind: RetentionKind) => (isMarkable(kind) ? { ...A_DAY, canmark: 0 as const } : A_DAY);
const restore = (runId: string, as = team.owner) => call(node, restoreRun, { as, params: { teamId: team.id, runId } });
const read = async (runId: string): Promise<RetentionRun> => {
  const { body } = await call(node, listRetentionRuns, { as: team.admin, params: { teamId: team.id } });
  return body.records.find(({ id }: RetentionRun) => id === runId) ?? assert.fail();
};
const work = (runId: string, deps = node.deps) =>
  createRestoreWorker(deps).handle({ team_id: team.id, run_id: runId }, attempt);
const expire = () => createExpireArchivesWorker(node.deps).handle({}, attempt);
const pass = (runId: string) =>
  sql`update retention_runs set recoverable_until = now() where id = ${runId}`.execute(node.db);

/** Runs the rules with another blob store, in this process and in no worker. */
const runWith = (blobs: TestApp['deps']['blobs']) =>
  startTeamRuns(
    {
      ...node.deps,
      blobs,
      jobs: { send: async () => undefined, sendUrgent: async () => undefined, sendMany: async () => undefined },
    },
    { teamId: team.id, origin: 'operator', startedBy: null },
  );

async function objects(runId: string): Promise<{ number: number; blob: string; sha256: string }[]> {
  const { rows } = await sql<{ number: number; blob: string; sha256: string }>`
    select number, blob, sha256 from retention_archives where run_id = ${runId} order by number`.execute(node.db);
  return rows;
}

async function getRows(): Promise<unknown[]> {
  const tables = ['messages', 'files', 'records'].map((table) =>
    sql`select to_jsonb(t)::text as row from ${sql.table(table)} t where team_id = ${team.id} order by id`.execute(
      node.db,
    ),
  );
  return (await Promise.all(tables)).map(({ rows }) => rows);
}

/** The team's rows in the text format of COPY, as archives of the first version have them. */
async function copyRows(table: 'messages' | 'files' | 'records'): Promise<{ columns: string[]; lines: string[] }> {
  const { rows: found } = await sql<{ name: string }>`select column_name::text as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table}`.execute(node.db);
  const columns = found.map(({ name }) => name);
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`));
  const { rows } = await sql<{ fields: (string | null)[] }>`select array[${texts}] as fields from ${sql.table(table)}
    where team_id = ${team.id} order by id`.execute(node.db);
  const escapes: Record<string, string> = {
    '\\': '\\\\',
    '\b': '\\b',
    '\f': '\\f',
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\v': '\\v',
  };
  // biome-ignore lint/suspicious/noControlCharactersInRegex: COPY escapes these.
  const toField = (text: string | null) => text?.replace(/[\\\x08-\x0d]/g, (each) => escapes[each] ?? each) ?? '\\N';
  // Each line ended with a line feed.
  return { columns, lines: [...rows.map(({ fields }) => fields.map(toField).join('\t')), ''] };
}

/** Exchanges the only object of a run's archive. */
async function replaceObject(runId: string, content: Parameters<typeof writeObject>[2]): Promise<void> {
  const [object = assert.fail()] = await objects(runId);
  const { rows } = await sql<{
    key: string;
  }>`select archive_key as key from retention_runs where id = ${runId}`.execute(node.db);
  const key = openArchiveKey(node.deps.secrets, rows[0]?.key ?? '');
  const written = await writeObject(key, { teamId: team.id, runId, number: object.number }, content);
  await node.deps.blobs.put(object.blob, written.content);
  await sql`update retention_archives set sha256 = ${written.sha256} where run_id = ${runId}`.execute(node.db);
}

/** Creates old items of a kind and returns the run that deleted them. */
async function deleted(
  kind: RetentionKind = 'public_channels',
  count = 3,
): Promise<{ run: RetentionRun; ids: string[] }> {
  const channels = await addChannels(node, team.id);
  const isMessage = kind.endsWith('channels') || kind === 'direct_messages';
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const body = isMessage ? { text: `Item ${at} "quoted"\nüñí 🦊` } : { data: `content ${at}` };
    ids.push(
      await addItem(node, { teamId: team.id, kind, channels }, { clock: OLD + at, userId: team.member.id, ...body }),
    );
  }
  await setRule(node, team.id, kind, rules(kind));
  const [run = assert.fail()] = await runNow(node, team.id, [kind]);
  assert.deepEqual([run.deleted, run.state, run.note], [count, 'finished', '']);
  return { run, ids };
}

describe('what a run deletes', () => {
  test('can be restored exactly as it was, of every kind', async () => {
    const channels = await addChannels(node, team.id);
    for (const kind of RETENTION_KINDS) {
      const isMessage = kind.endsWith('channels') || kind === 'direct_messages';
      const body = isMessage ? { text: 'a "b"\n🦊' } : { data: 'content' };
      for (const _ of ['one', 'two'])
        await addItem(node, { teamId: team.id, kind, channels }, { clock: OLD, ...body, userId: team.member.id });
      await setRule(node, team.id, kind, rules(kind));
    }
    const before = await getRows();
    const runs = await runNow(node, team.id);
    assert.deepEqual(runs.map(({ kind }) => kind).sort(), [...RETENTION_KINDS].sort());
    assert.equal((await getIds(node, team.id)).size, 0);
    for (const { id, kind, recoverable_until } of runs) {
      assert.ok(recoverable_until !== null && recoverable_until > Date.now() + 6 * 86_400_000, kind);
      const { status, body } = await restore(id);
      assert.deepEqual([status, body.restore_state], [200, 'running'], kind);
    }
    await settled(node);
    for (const { id, kind } of runs) {
      const { restore_state, restored, skipped, recoverable_until, restore_note } = await read(id);
      const outcome = [restore_state, restored, skipped, recoverable_until];
      assert.deepEqual(outcome, ['finished', 2, 0, null], `${kind}: ${restore_note}`);
    }
    assert.deepEqual(await getRows(), before);
    const { rows } = await sql<{
      blob: string;
    }>`select blob from files where team_id = ${team.id} and blob is not null
      union all select blob from records where team_id = ${team.id} and blob is not null`.execute(node.db);
    for (const { blob } of rows) assert.ok(await isKept(node, blob), blob);
    const again = await runNow(node, team.id);
    assert.deepEqual(
      again.map(({ kind, deleted, held }) => [kind, deleted, held]),
      runs.map(({ kind }) => [kind, 0, 2]),
      'held for 30 days',
    );
  });

  test('can’t be read anywhere until then, and its object is not readable as text', async () => {
    const { run } = await deleted();
    const [object = assert.fail()] = await objects(run.id);
    const content = await buffer((await node.deps.blobs.get(object.blob)) ?? assert.fail());
    assert.ok(!content.includes('quoted'));
    assert.equal((await getIds(node, team.id)).size, 0);
  });

  test('is deleted immediately with 0 days', async () => {
    await sql`insert into retention_recovery (team_id, days) values (${team.id}, 0)`.execute(node.db);
    const { run } = await deleted('files');
    assert.equal(run.recoverable_until, null);
    assert.deepEqual(await objects(run.id), []);
    assert.equal((await restore(run.id)).body.id, 'retention.not_recoverable');
  });
});

describe('an archive', () => {
  const failed = async (runId: string) => {
    assert.equal((await restore(runId)).status, 200);
    await settled(node);
    const run = await read(runId);
    assert.equal(run.restore_state, 'failed');
    assert.equal((await getIds(node, team.id)).size, 0);
    return run;
  };
  const replace = async (blob: string, change: (content: Buffer) => void) => {
    const content = await buffer((await node.deps.blobs.get(blob)) ?? assert.fail());
    change(content);
    await node.deps.blobs.put(blob, content);
  };

  test('with one changed byte restores nothing, and says which object', async () => {
    const { run } = await deleted();
    const [object = assert.fail()] = await objects(run.id);
    await replace(object.blob, (content) => {
      content[20] = (content[20] ?? 0) ^ 1;
    });
    const { restore_note } = await failed(run.id);
    assert.ok(restore_note.includes(object.blob) && restore_note.includes('was changed'), restore_note);
    await replace(object.blob, (content) => {
      content[20] = (content[20] ?? 0) ^ 1;
    });
    await restore(run.id);
    await settled(node);
    assert.equal((await read(run.id)).restored, 3, 'once it is mended');
  });

  test('with an object missing restores nothing', async () => {
    const { run } = await deleted();
    const [object = assert.fail()] = await objects(run.id);
    await node.deps.blobs.remove(object.blob);
    assert.match((await failed(run.id)).restore_note, /is missing/);
  });

  test('with an object of another run restores nothing', async () => {
    const { run } = await deleted();
    const other = await deleted('private_channels');
    const [object = assert.fail()] = await objects(run.id);
    const [foreign = assert.fail()] = await objects(other.run.id);
    await sql`update retention_archives set blob = ${foreign.blob}, sha256 = ${foreign.sha256} where run_id = ${run.id}`.execute(
      node.db,
    );
    assert.match((await failed(run.id)).restore_note, /can't be decrypted/);
    assert.notEqual(object.blob, foreign.blob);
  });

  test('of another SECRET_KEY restores nothing', async () => {
    const { run } = await deleted();
    await sql`update retention_runs set restore_state = 'running' where id = ${run.id}`.execute(node.db);
    const secrets = createSecrets(randomBytes(32).toString('hex'));
    await work(run.id, { ...node.deps, secrets });
    assert.match((await read(run.id)).restore_note, /SECRET_KEY.*Nothing was restored/);
  });

  test('of a later version restores nothing', async () => {
    const { run } = await deleted();
    await replaceObject(run.id, { version: 3, table: 'messages', columns: ['id'], lines: ['{}', '{}', '{}'] });
    assert.match((await failed(run.id)).restore_note, /has version 3, which can't be read\. Nothing was restored/);
  });

  test('of the first version is restored exactly, of each table', async () => {
    const tables = { public_channels: 'messages', files: 'files', voicemails: 'records' } as const;
    const channels = await addChannels(node, team.id);
    for (const kind of Object.keys(tables) as (keyof typeof tables)[]) {
      for (const _ of ['one', 'two']) await addItem(node, { teamId: team.id, kind, channels }, { clock: OLD });
      await setRule(node, team.id, kind, rules(kind));
    }
    await sql`update messages set text = ${'a\tb\\n\\\\N\n\r\f\v"🦊,'}, file_ids = ${['x', 'y"z\\']},
      props = ${'{"n": 12345678901234567890.5, "t": "a\\tb\\\\c"}'}::jsonb where team_id = ${team.id}`.execute(node.db);
    for (const table of ['files', 'records'])
      await sql`update ${sql.table(table)} set name = ${'\\N\t\\'} where team_id = ${team.id}`.execute(node.db);
    const before = await getRows();
    const copied = {
      messages: await copyRows('messages'),
      files: await copyRows('files'),
      records: await copyRows('records'),
    };
    const runs = await runNow(node, team.id);
    assert.deepEqual(
      runs.map(({ deleted }) => deleted),
      [2, 2, 2],
    );
    for (const { id, kind } of runs) {
      const table = tables[kind as keyof typeof tables];
      await replaceObject(id, { version: 1, table, ...copied[table] });
      await restore(id);
    }
    await settled(node);
    for (const { id } of runs)
      assert.partialDeepStrictEqual(await read(id), { restore_state: 'finished', restored: 2, skipped: 0 });
    assert.deepEqual(await getRows(), before);
  });
});

describe('a restore', () => {
  test('skips what a service has sent again', async () => {
    const service = await serviceToken(node, team.id);
    const general = await findGeneralChannel(node, team.id);
    const line = (id: string) => ({
      kind: 'message',
      external_id: id,
      channel_id: general.id,
      text: 'Hello',
      created_at: OLD,
    });
    await ingest(node, service, [line('a'), line('b')]);
    await setRule(node, team.id, 'public_channels', A_DAY);
    const [run = assert.fail()] = await runNow(node, team.id);
    await ingest(node, service, [line('a')]);
    await restore(run.id);
    await settled(node);
    const { restored, skipped } = await read(run.id);
    assert.deepEqual([restored, skipped], [1, 1]);
    assert.equal((await getIds(node, team.id)).size, 2);
  });

  test('skips a note that a service has sent again', async () => {
    const service = await serviceToken(node, team.id);
    const line = (id: string) => ({ kind: 'note', external_id: id, title: id, created_at: OLD, archived_at: OLD });
    await ingest(node, service, [line('a'), line('b')]);
    await setRule(node, team.id, 'archived_notes', A_DAY);
    const [run = assert.fail()] = await runNow(node, team.id);
    await ingest(node, service, [line('b')]);
    await restore(run.id);
    await settled(node);
    const { restored, skipped } = await read(run.id);
    assert.deepEqual([restored, skipped], [1, 1]);
  });

  test('that two owners request is one', async () => {
    const { run } = await deleted();
    const second = await signIn(node, await user(node, { team: team.id, kind: 'owner' }));
    // The job of the first request waits for the archive, so that it has not ended before the second one.
    await node.db.transaction().execute(async (trx) => {
      await sql`select 1 from retention_archives where run_id = ${run.id} for update`.execute(trx);
      const replies = await Promise.all([restore(run.id), restore(run.id, { ...team.owner, ...second })]);
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200],
      );
    });
    await settled(node);
    const rows = (await auditRows(node, 'retention.restore_asked')).filter(({ target }) => target === run.id);
    assert.equal(rows.length, 1);
    assert.deepEqual([(await read(run.id)).restored, (await read(run.id)).skipped], [3, 0]);
  });

  test('whose job is lost continues when it is requested again', async () => {
    const { run } = await deleted();
    await sql`update retention_runs set restore_state = 'running' where id = ${run.id}`.execute(node.db);
    assert.equal((await restore(run.id)).status, 200);
    await settled(node);
    assert.deepEqual([(await read(run.id)).restore_state, (await read(run.id)).restored], ['finished', 3]);
  });

  test('that ran twice concurrently restores each item once', async () => {
    const { run } = await deleted('files', 5);
    await sql`update retention_runs set restore_state = 'running' where id = ${run.id}`.execute(node.db);
    await Promise.all([work(run.id), work(run.id)]);
    const { restored, skipped } = await read(run.id);
    assert.deepEqual([restored, skipped], [5, 0]);
  });

  test('of a run that works, of another team and of one without an archive is refused', async () => {
    const { run } = await deleted();
    // Held by another worker, because the queued job could otherwise end the run before the call.
    await sql`update retention_runs set state = 'running', holder = 'another worker', beat_at = now()
      where id = ${run.id}`.execute(node.db);
    assert.equal((await restore(run.id)).body.id, 'retention.run_running');
    await sql`update retention_runs set state = 'finished' where id = ${run.id}`.execute(node.db);
    const other = await createTeamWithMembers(node);
    const foreign = await call(node, restoreRun, { as: other.owner, params: { teamId: other.id, runId: run.id } });
    assert.equal(foreign.status, 404);
  });

  test('waits for the batch that is being deleted, which does not know its hold yet', async () => {
    const { run } = await deleted();
    await sql`update retention_runs set restore_state = 'running' where id = ${run.id}`.execute(node.db);
    let restoring: Promise<unknown> | undefined;
    await node.db.transaction().execute(async (trx) => {
      await sql`select 1 from retention_policies where team_id = ${team.id} for share`.execute(trx);
      restoring = work(run.id);
      await waitForLockWaiter(node, 'retention_policies');
      assert.equal((await getIds(node, team.id)).size, 0);
    });
    await restoring;
    assert.equal((await read(run.id)).restored, 3);
  });

  test('works after the rule was changed to keep everything', async () => {
    const { run } = await deleted('files');
    await setRule(node, team.id, 'files', { value: 0, canmark: 0 });
    assert.equal((await restore(run.id)).status, 200);
    await settled(node);
    assert.deepEqual([(await read(run.id)).restored, (await getIds(node, team.id)).size], [3, 3]);
  });

  test('beside the run of a night restores everything, and what is not its own is deleted', async () => {
    const { run, ids } = await deleted('public_channels', 5);
    const channels = await addChannels(node, team.id);
    for (let at = 0; at < 5; at += 1)
      await addItem(node, { teamId: team.id, kind: 'public_channels', channels }, { clock: OLD + at, text: 'Late' });
    await sql`update retention_runs set restore_state = 'running' where id = ${run.id}`.execute(node.db);
    const [, [night]] = await Promise.all([
      work(run.id),
      startTeamRuns(node.deps, { teamId: team.id, origin: 'night', startedBy: null }),
    ]);
    assert.deepEqual([night?.state, night?.deleted], ['finished', 5]);
    assert.deepEqual([(await read(run.id)).restored, [...(await getIds(node, team.id))].sort()], [5, ids.sort()]);
  });

  test('creates one hold, which an owner may release', async () => {
    const { run } = await deleted();
    await restore(run.id);
    await settled(node);
    const { records } = (await call(node, listHolds, { as: team.admin, params: { teamId: team.id } })).body;
    assert.deepEqual(
      records.map((hold: { automatic: boolean; run_id: string; held: { count: number } }) => [
        hold.automatic,
        hold.run_id,
        hold.held.count,
      ]),
      [[true, run.id, 3]],
    );
  });
});

test('runs that can be restored are listed alone', async () => {
  const [first, second] = [await deleted(), await deleted('files')];
  const list = async () => {
    const query = { recoverable: '1' };
    const { body } = await call(node, listRetentionRuns, { as: team.admin, params: { teamId: team.id }, query });
    return body.records.map(({ id }: RetentionRun) => id);
  };
  assert.deepEqual(await list(), [second.run.id, first.run.id]);
  await pass(first.run.id);
  await expire();
  assert.deepEqual(await list(), [second.run.id]);
});

describe('after its time, an archive', () => {
  test('is destroyed with the contents of its files, and the run has the proof', async () => {
    const { run } = await deleted('files');
    const { rows } = await sql<{ blob: string }>`select blob from archived_blobs where run_id = ${run.id}`.execute(
      node.db,
    );
    assert.equal(rows.length, 3);
    for (const { blob } of rows) assert.ok(await isKept(node, blob));
    const [object = assert.fail()] = await objects(run.id);
    await expire();
    assert.equal((await objects(run.id)).length, 1, 'not before');
    await pass(run.id);
    await expire();
    for (const { blob } of [...rows, object]) assert.equal(await isKept(node, blob), false);
    const { proof } = await read(run.id);
    const { destroyed_at: _, ...amounts } = proof ?? assert.fail();
    const { bytes } = amounts;
    assert.ok(bytes > 0);
    // As many items and bytes as the run deleted, with the contents of the files.
    assert.deepEqual(amounts, { items: 3, files: 3, item_bytes: run.bytes, objects: 1, bytes });
    assert.ok(run.bytes > 0);
    assert.equal((await restore(run.id)).body.id, 'retention.not_recoverable');
    const audited = (await auditRows(node, 'retention.destroyed')).filter(({ target }) => target === run.id);
    assert.deepEqual(
      audited.map(({ details }) => details),
      [{ kind: 'files', ...amounts }],
    );
    const key = await sql<{
      archive_key: string | null;
    }>`select archive_key from retention_runs where id = ${run.id}`.execute(node.db);
    assert.equal(key.rows[0]?.archive_key, null);
  });

  test('is destroyed although the rule was changed to keep everything', async () => {
    const { run } = await deleted();
    await setRule(node, team.id, 'public_channels', { value: 0 });
    await pass(run.id);
    await expire();
    assert.equal((await read(run.id)).proof?.objects, 1);
  });

  test('is kept whole while a hold covers an item of it, and can be restored', async () => {
    const { run } = await deleted();
    const holdId = await legalHold(node, { teamId: team.id, user_ids: [team.member.id] });
    await pass(run.id);
    await expire();
    assert.equal((await objects(run.id)).length, 1);
    assert.equal((await restore(run.id)).status, 200);
    await settled(node);
    assert.equal((await read(run.id)).restored, 3);
    await sql`update holds set release_at = now() where id = ${holdId}`.execute(node.db);
  });
});

describe('the setting', () => {
  const get = async () => (await call(node, getRecovery, { as: team.admin, params: { teamId: team.id } })).body;
  const save = (recoverable_days: unknown) =>
    call(node, saveRecovery, { as: team.admin, params: { teamId: team.id }, body: { recoverable_days } });

  test('is 7 days at first; a lower number waits 24 hours and owners are emailed, a higher one takes effect immediately', async () => {
    assert.deepEqual(await get(), { recoverable_days: 7 });
    assert.deepEqual((await save(30)).body, { recoverable_days: 30 });
    const { body } = await save(0);
    assert.deepEqual([body.recoverable_days, body.in_force], [0, 30]);
    assert.match((await node.inbox.next(team.owner.email)).text, /can't be restored/);
    assert.deepEqual(await get(), body);
    assert.deepEqual((await save(0)).body, body, 'the same again keeps its time');
    await sql`update retention_recovery set effective_at = now() where team_id = ${team.id}`.execute(node.db);
    assert.deepEqual(await get(), { recoverable_days: 0 });
    assert.deepEqual((await save(1)).body, { recoverable_days: 1 });
  });

  test('refuses anything but 0 to 30', async () => {
    for (const wrong of [-1, 31, 1.5, '7', null, undefined])
      assert.equal((await save(wrong)).status, 400, String(wrong));
  });
});

describe('while a batch is archived', () => {
  let id: string;

  const textOf = async () => {
    const { rows } = await sql<{ text: string }>`select text from messages where id = ${id}`.execute(node.db);
    return rows[0]?.text;
  };
  /** Runs the rule, and calls `act` as soon as the first object is written. */
  const runBeside = async (act: () => Promise<unknown>) => {
    let acted = false;
    const put = async (key: string, content: Uint8Array) => {
      await node.deps.blobs.put(key, content);
      if (!acted) await act();
      acted = true;
    };
    const [run = assert.fail()] = await runWith({ ...node.deps.blobs, put });
    return run;
  };

  beforeEach(async () => {
    const channels = await addChannels(node, team.id);
    const place = { teamId: team.id, kind: 'public_channels', channels } as const;
    id = await addItem(node, place, { clock: OLD, text: 'before' });
    await setRule(node, team.id, 'public_channels', A_DAY);
  });

  test('a change of an item waits and then finds it gone', async () => {
    const changes: Promise<{ numAffectedRows?: bigint }>[] = [];
    const run = await runBeside(async () => {
      changes.push(sql`update messages set text = 'after' where id = ${id}`.execute(node.db));
      await waitForLockWaiter(node, 'update messages set text');
    });
    assert.deepEqual([run.state, run.deleted], ['finished', 1]);
    const [changed] = await Promise.all(changes);
    assert.equal(changed?.numAffectedRows, 0n);
    assert.equal(await textOf(), undefined);
    assert.equal((await restore(run.id)).status, 200);
    await settled(node);
    assert.equal(await textOf(), 'before');
  });

  test('a new hold keeps what it covers', async () => {
    const run = await runBeside(() => legalHold(node, { teamId: team.id, user_ids: [] }));
    assert.deepEqual([run.state, run.deleted, run.held], ['finished', 0, 1]);
    assert.equal(await textOf(), 'before');
    assert.deepEqual(await objects(run.id), []);
  });

  test('a rule that keeps everything undoes the batch', async () => {
    const run = await runBeside(() => setRule(node, team.id, 'public_channels', { value: 0 }));
    assert.deepEqual([run.state, run.deleted], ['stopped', 0]);
    assert.equal(await textOf(), 'before');
    assert.deepEqual(await objects(run.id), []);
  });
});
