import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker, dropMailJobs } from '#platform/jobs/jobs.ts';
import { workInTurns } from '#platform/jobs/work-in-turns.ts';
import { removeMailsAbout } from '#platform/mail/mail-log.ts';
import { eraseInResponses } from '#workspace/changes/erase-responses.actions.ts';
import { removeExportsAbout } from '#workspace/content/exports.store.ts';
import { trackUnreferencedBlobs } from '#workspace/content/unreferenced-blobs.store.ts';
import { removeRecipient } from '#workspace/notices/notices.store.ts';
import {
  ERASED_KINDS,
  type ErasureKey,
  type ErasureRow,
  endErasure,
  eraseAuditPage,
  eraseContentPage,
  findErasure,
  getErasedName,
  listStalledErasures,
  lockErasure,
  saveProgress,
  type Traces,
} from './erasures.store.ts';
import { openTraces } from './seal-traces.ts';

/**
 * Searches a team's content for the address of an erased user for a limited time, and queues itself again while content
 * remains.
 */
export const erase = defineJob({
  name: 'privacy.erase',
  payload: z.object({ team_id: z.string(), person_id: z.string() }),
  retries: 10,
  retrySeconds: 5,
  retryMaxSeconds: 300,
});

/** Restarts stalled erasures. */
const resumeErasures = defineJob({
  name: 'privacy.resume_erasures',
  schedule: '*/5 * * * *',
});

/** Rows that one transaction looks at. */
const PAGE = 2_000;

export function createEraseWorker(deps: Deps) {
  return defineWorker(erase, ({ team_id: teamId, person_id: userId }) => eraseInTurns(deps, { teamId, userId }));
}

/** If the erasure is still active, a second job finds it locked or done. */
export function createResumeErasuresWorker(deps: Deps) {
  return defineWorker(resumeErasures, async () => {
    const stalled = await listStalledErasures(deps.db);
    await inTransaction(deps.db, (trx) => deps.jobs.sendMany(trx, erase, stalled));
  });
}

export async function eraseInTurns(deps: Deps, key: ErasureKey, turnMs?: number): Promise<void> {
  await eraseResponses(deps, key);
  const payload = { team_id: key.teamId, person_id: key.userId };
  await workInTurns(deps, { job: erase, payload, turnMs }, () =>
    inTransaction(deps.db, (trx) => eraseNextPage(trx, deps, key)),
  );
}

/** Replaces in stored responses first, which is idempotent. */
async function eraseResponses(deps: Deps, key: ErasureKey): Promise<void> {
  const row = await findErasure(deps.db, key);
  if (!row || row.is_done || row.step > 0) return;
  const { address, names } = openTraces(deps.secrets, row.sealed ?? '');
  const replace = (text: string) =>
    [address, ...names].reduce(
      (all, part) => all.replace(new RegExp(RegExp.escape(part), 'gi'), getErasedName(row)),
      text,
    );
  await eraseInResponses(deps, key.teamId, replace);
}

interface ErasureContext extends ErasureKey {
  row: ErasureRow;
  traces: Traces;
  name: string;
}

type Step = (trx: Trx, place: ErasureContext) => Promise<string>;

/** The steps in order; each returns the last key of its page, or '' at its end. The index of a step is stored, so the order must stay. */
const STEPS: readonly Step[] = [
  eraseMailsAndExports,
  (trx, place) => eraseAuditPage(trx, place, toPage(place)),
  // Rows without a team belong to the account.
  async (trx, place) =>
    place.row.account === 'kept' ? '' : eraseAuditPage(trx, { ...place, teamId: '' }, toPage(place)),
  ...ERASED_KINDS.map(
    (kind): Step =>
      (trx, { teamId, traces, name, row }) =>
        eraseContentPage(trx, { kind, teamId, address: traces.address, name }, toPage({ row })),
  ),
];

const toPage = ({ row }: Pick<ErasureContext, 'row'>) => ({ after: row.reached, limit: PAGE });

/** Returns true if there is nothing left to do, also because another worker has locked the erasure. */
async function eraseNextPage(trx: Trx, deps: Deps, key: ErasureKey): Promise<boolean> {
  const row = await lockErasure(trx, key);
  if (!row) return true;
  const step = STEPS[row.step];
  if (!step) {
    await endErasure(trx, key);
    return true;
  }
  const reached = await step(trx, {
    ...key,
    row,
    traces: openTraces(deps.secrets, row.sealed ?? ''),
    name: getErasedName(row),
  });
  await saveProgress(trx, key, { step: reached === '' ? row.step + 1 : row.step, reached });
  return false;
}

/** Pieces of exports are deleted within two hours, like any content that nothing refers to. */
async function eraseMailsAndExports(trx: Trx, { teamId, userId, traces, row }: ErasureContext): Promise<string> {
  const isWhole = row.account === 'deleted';
  const { address } = traces;
  const scope = { teamId: isWhole ? undefined : teamId, userId };
  // This is first, since it waits for a concurrent batch that queues emails to them.
  await removeRecipient(trx, scope);
  const mailIds = await removeMailsAbout(trx, { ...scope, address });
  await dropMailJobs(trx, mailIds);
  const parts = await removeExportsAbout(trx, userId, isWhole ? undefined : teamId);
  for (const key of parts) await trackUnreferencedBlobs(trx, key.split('/')[0] ?? '', [key]);
  return '';
}
