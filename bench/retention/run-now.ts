import { setTimeout as delay } from 'node:timers/promises';
import type { RetentionRun } from '@steward/contract/retention';
import { saveRule } from '@steward/server/src/features/retention/rules/rules.store.ts';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { saveRecovery } from '@steward/server/src/workspace/retention/recovery-setting.store.ts';
import { openClient } from '../setup/load.ts';
import type { Bench } from '../setup/setup.ts';
import type { PublicReach } from './reach.ts';

const POLL_MS = 50;

/** Milliseconds from Run now to its end, by the database's clock. */
export async function runNow({ team, server }: Bench, cookie: string, count: number): Promise<number> {
  // A new connection: an earlier one was closed while the messages were restored.
  const client = openClient(server.port);
  const path = `/api/v4/admin/teams/${team.id}/retention`;
  const call = async (to: string, body?: object) => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await client.send({ path: path + to, method, cookie, ...(body && { body }) });
    if (answer.status !== 200) throw new Error(`${to} answered ${answer.status}: ${answer.body.toString()}`);
    return (JSON.parse(answer.body.toString()) as { records: [RetentionRun] }).records[0];
  };
  let run = await call('/run', { kinds: ['public_channels'] });
  while (run.state === 'running') {
    await delay(POLL_MS);
    run = await call('/runs?kind=public_channels&limit=1');
  }
  client.close();
  if (run.state !== 'finished' || run.deleted !== count)
    throw new Error(`The run ${run.state} after ${run.deleted} of ${count} messages. ${run.note}`);
  return run.ended_at - run.started_at;
}

/** Takes effect at once: the bench cannot wait for 24 hours. */
export async function setRule({ database, team }: Bench, rule: { value: 0 | 1; duration?: PublicReach['duration'] }) {
  const whose = { teamId: team.id, kind: 'public_channels', savedBy: null } as const;
  await inTransaction(database.db, (trx) => saveRule(trx, whose, { current: rule, scheduled: null }));
}

/** For how many days what runs delete can be restored, at once too. */
export async function setRecovery({ database, team }: Bench, days: number): Promise<void> {
  const state = { current: days, scheduled: null };
  await inTransaction(database.db, (trx) => saveRecovery(trx, { teamId: team.id, savedBy: '' }, state));
}

/** Restores the last run over public channels; returns the milliseconds that it took. */
export async function restoreLastRun({ team, server }: Bench, cookie: string, count: number): Promise<number> {
  const client = openClient(server.port);
  const path = `/api/v4/admin/teams/${team.id}/retention/runs`;
  const call = async (to: string, method: 'GET' | 'POST') => {
    const answer = await client.send({ path: path + to, method, cookie });
    if (answer.status !== 200) throw new Error(`${to} answered ${answer.status}: ${answer.body.toString()}`);
    return JSON.parse(answer.body.toString());
  };
  const last = async (): Promise<RetentionRun> => (await call('?kind=public_channels&limit=1', 'GET')).records[0];
  const { id } = await last();
  const begun = performance.now();
  await call(`/${id}/restore`, 'POST');
  let run = await last();
  while (run.restore_state === 'running') {
    await delay(POLL_MS);
    run = await last();
  }
  const took = performance.now() - begun;
  client.close();
  if (run.restored !== count) throw new Error(`${run.restored} of ${count} were restored. ${run.restore_note}`);
  return took;
}
