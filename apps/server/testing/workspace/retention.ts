import type { RecordKind } from '@steward/contract/content';
import type { RetentionRun } from '@steward/contract/retention';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { sql } from 'kysely';
import { saveRule } from '#features/retention/rules/rules.store.ts';
import { startRuns, startTeamRuns } from '#features/retention/runs/runs.actions.ts';
import type { RunKey } from '#features/retention/runs/runs.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { saveRecovery } from '#workspace/content/retention/recovery-setting.store.ts';
import { channel, file, message, record } from './content.ts';
import { setTime } from './ends.ts';

/** Makes a rule the current one, as if its 24 hours had passed. */
export function setRule(node: TestApp, teamId: string, kind: RetentionKind, rule: RetentionRule): Promise<void> {
  return inTransaction(node.db, (trx) =>
    saveRule(trx, { teamId, kind, savedBy: null }, { current: rule, scheduled: null }),
  );
}

/** Starts runs of the current rules and processes them to the end. */
export function runNow(node: TestApp, teamId: string, kinds?: readonly RetentionKind[]): Promise<RetentionRun[]> {
  return startTeamRuns(node.deps, { teamId, kinds, origin: 'operator', startedBy: null });
}

/** Starts runs as an admin does, without processing them. */
export async function queueRuns(node: TestApp, teamId: string): Promise<RunKey[]> {
  const runs = await inTransaction(node.db, (trx) =>
    startRuns(trx, node.deps, { teamId, origin: 'person', startedBy: null }),
  );
  return runs.map(({ id }) => ({ teamId, runId: id }));
}

const RECORDS: Partial<Record<RetentionKind, RecordKind>> = {
  archived_notes: 'note',
  completed_tasks: 'task',
  meeting_history: 'meeting',
  meeting_recordings: 'meeting_recording',
  call_history: 'call',
  call_recordings: 'call_recording',
  voicemails: 'voicemail',
  communication_history: 'communication',
};

const TYPES = { public_channels: 'O', private_channels: 'P', direct_messages: 'D' } as const;

export async function addChannels(node: TestApp, teamId: string) {
  const add = (type: 'O' | 'P' | 'D') => channel(node, teamId, { type });
  return { O: await add('O'), P: await add('P'), D: await add('D') };
}

/** Adds an item of a kind with this date; with `marked`, it was also marked deleted then. */
export async function addItem(
  node: TestApp,
  at: { teamId: string; kind: RetentionKind; channels: Awaited<ReturnType<typeof addChannels>> },
  options: { clock: number; marked?: boolean; data?: string; size?: number; text?: string; userId?: string },
): Promise<string> {
  const { clock, marked = false, ...rest } = options;
  const times = marked ? { createAt: clock, deleteAt: clock } : { createAt: clock };
  const type = TYPES[at.kind as keyof typeof TYPES];
  if (type) return message(node, at.teamId, { channel: at.channels[type], ...times, ...rest });
  const kind = RECORDS[at.kind];
  const item = kind
    ? await record(node, at.teamId, { kind, clock, ...times, ...rest })
    : await file(node, at.teamId, { ...times, ...rest });
  return item.id;
}

export async function getIds(node: TestApp, teamId: string): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from messages where team_id = ${teamId}
    union all select id from files where team_id = ${teamId}
    union all select id from records where team_id = ${teamId}`.execute(node.db);
  return new Set(rows.map(({ id }) => id));
}

/** Sets what `clock_timestamp()` returns in the database; the app needs the same clock, and only one connection. */
export function setDatabaseClock(node: TestApp, moment: number): Promise<void> {
  return setTime(node, 'clock_timestamp', moment);
}

/** Takes effect immediately. With 0, runs delete without an archive. */
export function setRecovery(node: TestApp, teamId: string, days: number): Promise<void> {
  return inTransaction(node.db, (trx) =>
    saveRecovery(trx, { teamId, savedBy: '' }, { current: days, scheduled: null }),
  );
}

/** An ended run whose archived object is missing from the blob store. */
export async function archivedRun(node: TestApp, teamId: string): Promise<string> {
  const id = newId();
  await sql`insert into retention_runs (team_id, id, kind, origin, clock, cutoff, state, started_at, ended_at,
      recoverable_days, archive_key, recoverable_until)
    values (${teamId}, ${id}, 'files', 'night', 'own', 1, 'finished', now(), now(),
      7, 'x', now() + interval '7 days')`.execute(node.db);
  await sql`insert into retention_archives (team_id, run_id, number, blob, bytes, sha256, items)
    values (${teamId}, ${id}, 1, ${`${teamId}/retention_archive/xx/${id}`}, 1, '', 1)`.execute(node.db);
  return id;
}
