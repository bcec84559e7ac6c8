import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { RetentionKind } from '@steward/contract/retention/fields';
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
