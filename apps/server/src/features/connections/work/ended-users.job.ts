import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { clearRemovals, saveRemovalsAsked } from '#workspace/users/connected-links.store.ts';
import { type MappingKey, shareMapping } from '../mappings.store.ts';
import { listEndedUsers, listMappingsWithEndedUsers } from './ended-users.store.ts';
import { addWork, withdrawWork } from './work.store.ts';

/**
 * Passes the end of a member's access on to the server every minute: deactivates the user there who is linked to the account, if
 * every team that the user has there agrees. Others are listed on Home.
 */
const endUsers = defineJob({
  name: 'connections.end_users',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '* * * * *',
});

export function createEndUsersWorker(deps: Deps) {
  return defineWorker(endUsers, () => endConnectedUsers(deps));
}

/** An error is logged and tried again in a minute, and doesn't delay other teams. */
export async function endConnectedUsers(deps: Deps): Promise<void> {
  await inTransaction(deps.db, (trx) => withdraw(trx, deps));
  for (const key of await listMappingsWithEndedUsers(deps.db))
    await inTransaction(deps.db, (trx) => askFor(trx, deps, key)).catch((error) =>
      deps.log.error({ err: error, team: key.teamId }, 'connections: could not end users'),
    );
}

const BACK = 'The account has access to this team again.';

async function withdraw(trx: Trx, deps: Deps): Promise<void> {
  for (const { team_id: teamId, server_id: target, user_id, action } of await withdrawWork(trx, BACK)) {
    const details = { remote_action: action, remote_user_ids: [user_id], outcome: 'refused', detail: BACK };
    const event = { teamId, actorId: null, target, origin: JOB_ORIGIN };
    await addAuditEvent(trx, deps, { ...event, action: 'connections.work_ended', details });
  }
  await clearRemovals(trx);
}

/** Users in one transaction; the next run does the rest. */
const BATCH = 100;

async function askFor(trx: Trx, deps: Deps, key: MappingKey): Promise<void> {
  const mapping = await shareMapping(trx, key);
  if (!mapping || mapping.accepted_at === 0) return;
  const userIds = await listEndedUsers(trx, key, BATCH);
  if (userIds.length === 0) return;
  const { server_id, team_id, remote_id: remote_team_id } = mapping;
  const work = { server_id, team_id, remote_team_id, action: 'deactivate' as const, channel_ids: [], asked_by: null };
  await addWork(
    trx,
    userIds.map((user_id) => ({ ...work, id: newId(), user_id })),
  );
  await saveRemovalsAsked(trx, key, userIds);
  const details = { remote_action: 'deactivate', remote_user_ids: userIds, refused_user_ids: [] };
  const event = { teamId: key.teamId, actorId: null, target: key.serverId, origin: JOB_ORIGIN };
  await addAuditEvent(trx, deps, { ...event, action: 'connections.asked', details });
}
