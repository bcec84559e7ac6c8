import { RETENTION_KINDS, type RetentionKind } from '@steward/contract/retention/fields';
import type { Ages, DueItem, Forecast } from '@steward/contract/retention/foresight';
import { getRemoval, type RetentionClock } from '@steward/contract/retention/rules';
import type { Database } from '#platform/database/database.ts';
import type { FairQueue, Share } from '#platform/jobs/fair-queue.ts';
import type { Cursor } from '#workspace/content/expiry.ts';
import { countByBound, countByNight, findClockRange, listExpired } from '#workspace/content/foresight.store.ts';
import { holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { getCurrentScope, getKeptSince } from '#workspace/content/retention/retention-scope.rules.ts';
import type { TeamRules } from '#workspace/content/retention/rule-schedule.rules.ts';
import { RETENTION_TARGETS } from '../rules/retention-targets.ts';
import { getNightCutoffs, listMonths, listNights } from './nights.rules.ts';

interface Setting {
  teamId: string;
  kind: RetentionKind;
  clock: RetentionClock;
}

/** The date that the current rule counts from, or the default date of the kind if the rule deletes nothing. */
export function getCurrentClock(kind: RetentionKind, { byKind }: TeamRules): RetentionClock {
  return getRemoval(byKind[kind].current)?.clock ?? 'own';
}

export async function countAges(
  db: Database,
  { teamId, kind, clock }: Setting,
  { timeZone, holds }: TeamRules,
): Promise<Ages> {
  const { place } = RETENTION_TARGETS[kind];
  const { oldest, newest } = await findClockRange(db, place, { teamId, clock });
  if (oldest === null || newest === null) return { clock, months: [] };
  const months = listMonths({ oldest, newest }, timeZone);
  const bounds = months.slice(1).map(({ start }) => start);
  const counts = await countByBound(db, place, { teamId, clock, bounds, holds: holdsOn(kind, holds) });
  return {
    clock,
    months: counts.flatMap(({ reached, count, bytes, held }) => {
      const month = months[reached]?.month;
      return month === undefined ? [] : [{ month, count, bytes, held }];
    }),
  };
}

export async function forecast(
  { db, queue, share }: { db: Database; queue: FairQueue; share: Share },
  { teamId, days }: { teamId: string; days: number },
  rules: TeamRules,
): Promise<Forecast> {
  const nights = listNights(rules, days);
  const records: Forecast['records'] = nights.map((night) => ({ ...night, settings: {} }));
  const total = { count: 0, bytes: 0, held: 0 };
  for (const kind of RETENTION_KINDS) {
    const cutoffs = getNightCutoffs(teamId, { kind, nights }, rules);
    if (cutoffs === null) continue;
    const counts = await queue.run(share, () => countByNight(db, RETENTION_TARGETS[kind].place, cutoffs));
    for (const [at, record] of records.entries())
      if (cutoffs.own[at] !== 0 || cutoffs.marked[at] !== 0) record.settings[kind] = { count: 0, bytes: 0, held: 0 };
    for (const { night, count, bytes, held } of counts) {
      const record = records[night];
      if (record !== undefined) record.settings[kind] = { count, bytes, held };
      total.count += count;
      total.bytes += bytes;
      // A hold keeps the same items night after night.
      if (night === nights.length - 1) total.held += held;
    }
  }
  return { records, total };
}

/**
 * Lists the items that a rule with this cutoff would delete. The cutoff of the current rule gives the items of its next run;
 * any other cutoff counts as a rule saved now, as in a preview.
 */
export async function listDue(
  db: Database,
  {
    setting,
    cutoff,
    readerId,
    after,
    limit,
  }: {
    setting: Setting;
    cutoff: number;
    readerId: string;
    after: Cursor | undefined;
    limit: number;
  },
  rules: TeamRules,
): Promise<DueItem[]> {
  const { teamId, kind, clock } = setting;
  const current = getCurrentScope(teamId, kind, rules);
  const isCurrent = current?.clock === clock && current.cutoff === cutoff;
  const keptSince = isCurrent ? current.keptSince : getKeptSince(rules.now, rules.now);
  return listExpired(db, RETENTION_TARGETS[kind].place, {
    scope: { teamId, clock, cutoff, keptSince, holds: holdsOn(kind, rules.holds) },
    readerId,
    after: after ?? { clock: -1, id: '' },
    limit,
  });
}
