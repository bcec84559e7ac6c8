import { z } from 'zod';
import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { claimConnectedNight, type DueMapping, listNights, lockMapping } from '../mappings.store.ts';
import { listDueReminders } from '../rules/connected-rules.store.ts';
import { remindOwners } from '../rules/rules.actions.ts';
import { openOrder } from './orders.actions.ts';

/** Checks every minute for due work: reminders before a first run, and the orders of the night. */
const nights = defineJob({
  name: 'connections.nights',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '* * * * *',
});

/** Owners are reminded this many hours before a rule takes effect. */
const REMIND_HOURS = 12;

export function createNightlyOrdersWorker(deps: Deps) {
  return defineWorker(nights, () => runDueOrders(deps));
}

/** An error is logged and tried again in a minute, and doesn't delay other teams. */
export async function runDueOrders(deps: Deps): Promise<void> {
  const attempt = (teamId: string, work: () => Promise<void>) =>
    work().catch((error) => deps.log.error({ err: error, team: teamId }, 'connections: due work failed'));
  for (const due of await listDueReminders(deps.db, REMIND_HOURS))
    await attempt(due.teamId, () => inTransaction(deps.db, (trx) => remindOwners(trx, deps, due)));
  for (const due of await listNights(deps.db)) {
    const night = toNight(due.now, due.time_zone);
    if (night > due.night) await attempt(due.teamId, () => openNightlyOrder(deps, due, night));
  }
}

/** Selecting among a million messages takes longer than other statements may. */
function openNightlyOrder(deps: Deps, key: DueMapping, night: string): Promise<void> {
  const open = () =>
    inTransaction(deps.slowQueryPool, async (trx) => {
      const mapping = await lockMapping(trx, key);
      if (!mapping || mapping.accepted_at === 0 || mapping.paused_at > 0) return;
      if (await claimConnectedNight(trx, key, night)) await openOrder(trx, deps, key);
    });
  return deps.countQueue.run({ key: key.teamId }, open);
}
