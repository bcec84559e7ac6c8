import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { Temporal } from 'temporal-polyfill';
import type { NightCutoffs, RetentionScope } from '#workspace/content/expiry.ts';
import { type ActiveHold, holdsOn } from '#workspace/content/holds/active-holds.rules.ts';
import { nextNight, toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { getRetentionScope } from '#workspace/content/retention/retention-scope.rules.ts';
import type { TeamRules } from '#workspace/content/retention/rule-schedule.rules.ts';

export interface Night {
  /** Day in the team's calendar. */
  night: string;
  /** Start of its runs, in milliseconds. */
  at: number;
}

export function listNights({ now, timeZone }: TeamRules, days: number): Night[] {
  const nights: Night[] = [];
  for (let at = nextNight(now, timeZone); nights.length < days; at = nextNight(at, timeZone))
    nights.push({ night: toNight(at, timeZone), at });
  return nights;
}

/** A future run uses the scheduled rule once that has taken effect. */
export function getScopeAt(
  teamId: string,
  { kind, at }: { kind: RetentionKind; at: number },
  { byKind, savedAt, timeZone, holds: all }: TeamRules,
): RetentionScope | null {
  const { current, scheduled } = byKind[kind];
  const holds = holdsOn(kind, all).filter(({ release_at }) => release_at === null || release_at > at);
  const moment = { now: at, timeZone, holds };
  if (scheduled === null || scheduled.effectiveAt > at)
    return getRetentionScope(teamId, current, { ...moment, savedAt: savedAt[kind] });
  const { rule, effectiveAt } = scheduled;
  return getRetentionScope(teamId, rule, { ...moment, savedAt: effectiveAt - RETENTION_WAIT_MS });
}

/** The cutoffs of a kind in each night; null if no rule deletes anything in any of them. */
export function getNightCutoffs(
  teamId: string,
  { kind, nights }: { kind: RetentionKind; nights: readonly Night[] },
  rules: TeamRules,
): NightCutoffs | null {
  const scopes = nights.map(({ at }) => getScopeAt(teamId, { kind, at }, rules));
  if (scopes.every((scope) => scope === null)) return null;
  const cutoffs = (clock: RetentionScope['clock']) =>
    scopes.map((scope) => (scope?.clock === clock ? scope.cutoff : 0));
  const keptSince = scopes.map((scope, at) => scope?.keptSince ?? (nights[at]?.at ?? 0) - RETENTION_WAIT_MS);
  const holds = holdsOn(kind, rules.holds).map((hold) => ({ hold, free: findFirstFree(hold, nights) }));
  return { teamId, own: cutoffs('own'), marked: cutoffs('marked'), keptSince, holds };
}

/** Returns the first night after the release of a hold, or the number of nights if the hold covers all of them. */
function findFirstFree({ release_at }: ActiveHold, nights: readonly Night[]): number {
  if (release_at === null) return nights.length;
  const first = nights.findIndex(({ at }) => at >= release_at);
  return first === -1 ? nights.length : first;
}

/** Items older than this many months are counted in the first month. */
const MONTHS_MAX = 1_200;

interface Month {
  /** `YYYY-MM`. */
  month: string;
  /** First instant, in milliseconds. */
  start: number;
}

/** Lists every month from oldest to newest, at most a hundred years. An unknown time zone counts as UTC. */
export function listMonths({ oldest, newest }: { oldest: number; newest: number }, zone: string): Month[] {
  const last = toMonth(newest, zone);
  const earliest = last.subtract({ months: MONTHS_MAX - 1 });
  const oldestMonth = toMonth(oldest, zone);
  const months: Month[] = [];
  let month = Temporal.PlainYearMonth.compare(oldestMonth, earliest) < 0 ? earliest : oldestMonth;
  for (; Temporal.PlainYearMonth.compare(month, last) <= 0; month = month.add({ months: 1 }))
    months.push({ month: month.toString(), start: getStart(month, zone) });
  return months;
}

function toMonth(moment: number, zone: string): Temporal.PlainYearMonth {
  return inZone(zone, (known) =>
    Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(known).toPlainDate().toPlainYearMonth(),
  );
}

function getStart(month: Temporal.PlainYearMonth, zone: string): number {
  return inZone(zone, (known) => month.toPlainDate({ day: 1 }).toZonedDateTime(known).epochMilliseconds);
}

function inZone<T>(zone: string, read: (zone: string) => T): T {
  try {
    return read(zone);
  } catch {
    return read('UTC');
  }
}
