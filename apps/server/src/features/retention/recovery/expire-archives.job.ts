import { isDeepStrictEqual } from 'node:util';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { isAnyRowHeld } from '#workspace/content/archive.store.ts';
import { type ActiveHold, holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { listActiveHolds } from '#workspace/content/holds/held.store.ts';
import { lockRule } from '#workspace/content/retention/team-rules.store.ts';
import {
  type ArchivedObject,
  listArchivedObjects,
  markDestroying,
  takeArchivedObject,
} from '../archive/archives.store.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { countDestroyed, endExpiry } from '../runs/runs.store.ts';
import { openKey, readArchivedRows } from './read-archive.actions.ts';
import { type ExpiredRun, listExpiredRuns, lockRecoverableRun } from './restores.store.ts';

/** Destroys expired archives, by the database's clock. */
const expireArchives = defineJob({
  name: 'retention.expire_archives',
  schedule: '* * * * *',
});

const PAGE = 100;

/** Unfinished work continues a minute later. */
export function createExpireArchivesWorker(deps: Deps) {
  return defineWorker(expireArchives, async () => {
    for (const run of await listExpiredRuns(deps.db)) {
      await expireRun(deps, run).catch((error) =>
        deps.log.error({ err: error, team: run.teamId, run: run.runId }, 'an archive could not be destroyed'),
      );
    }
  });
}

async function expireRun(deps: Deps, run: ExpiredRun): Promise<void> {
  const holds = holdsOn(run.kind, await listActiveHolds(deps.db, run.teamId));
  let page: ArchivedObject[] = [];
  do {
    const after = page.at(-1)?.number ?? 0;
    page = await listArchivedObjects(deps.db, run, { after, limit: PAGE, withDestroying: true });
    for (const object of page)
      if (!(await isHeld(deps, run, { object, holds }))) await destroy(deps, run, { number: object.number, holds });
  } while (page.length === PAGE);
  await inTransaction(deps.db, async (trx) => {
    const proof = await endExpiry(trx, run);
    if (!proof) return;
    const event = { action: 'retention.destroyed', teamId: run.teamId, actorId: null, target: run.runId } as const;
    await addAuditEvent(trx, deps, { ...event, details: proof, origin: JOB_ORIGIN });
  });
}

/** A hold that covers any item of an object keeps all of it. While there are holds, an unreadable object is kept too. */
async function isHeld(
  deps: Deps,
  { archive_key, ...run }: ExpiredRun,
  { object, holds }: { object: ArchivedObject; holds: readonly ActiveHold[] },
): Promise<boolean> {
  if (holds.length === 0 || archive_key === null) return false;
  try {
    const archived = await readArchivedRows(deps, { ...run, key: openKey(deps, archive_key) }, object);
    const { table } = RETENTION_TARGETS[run.kind].place;
    return await isAnyRowHeld(deps.db, { teamId: run.teamId, table, holds }, archived);
  } catch (error) {
    deps.log.warn({ err: error, run: run.runId }, 'an expired archive object could not be read, so it is kept');
    return true;
  }
}

/**
 * The object is marked first, so that no restore reads a partly destroyed one. Then the contents, the object and its entry are
 * deleted.
 */
async function destroy(
  { db, blobs }: Deps,
  run: ExpiredRun,
  { number, holds }: { number: number; holds: readonly ActiveHold[] },
): Promise<void> {
  const marked = await inTransaction(db, async (trx) =>
    (await isStillFree(trx, run, holds)) ? markDestroying(trx, run, number) : undefined,
  );
  if (!marked) return;
  for (const key of [...marked.contents, marked.blob]) await blobs.remove(key);
  await inTransaction(db, async (trx) => {
    const taken = await takeArchivedObject(trx, run, number);
    if (taken) await countDestroyed(trx, run, taken);
  });
}

/**
 * True if no restore has started and no hold was added since the holds were read. The lock prevents both until the transaction
 * ends.
 */
async function isStillFree(trx: Trx, run: ExpiredRun, holds: readonly ActiveHold[]): Promise<boolean> {
  const current = await lockRecoverableRun(trx, run);
  if (current === undefined || current.restore_state === 'running') return false;
  const locked = await lockRule(trx, run.teamId, run.kind);
  const now = locked?.holds ?? holdsOn(run.kind, await listActiveHolds(trx, run.teamId));
  return isDeepStrictEqual(now, holds);
}
