import type { Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { getEndOfDay, isEndInRange, toDay } from './end-dates.rules.ts';
import { listEndDates, saveEnds, saveEndsByDate } from './memberships.store.ts';
import { getTeam, getTeamClock } from './teams.store.ts';

// The caller has locked the team, also if shared: the instants depend on its time zone.

/** The day it is in the team, by the clock of the database. */
export async function findToday(trx: Trx, teamId: string): Promise<string> {
  const { now, time_zone } = await getTeamClock(trx, teamId);
  return toDay(now, time_zone);
}

/** Refuses a new end date that has passed or is too far ahead. */
export async function requireEndInRange(trx: Trx, teamId: string, date: string): Promise<void> {
  if (!isEndInRange(date, await findToday(trx, teamId))) refuse('users.end_out_of_range');
}

/** A new end date with its instant. Refuses one that is out of range. */
export async function readEnd(trx: Trx, teamId: string, date: string): Promise<{ date: string; at: number }> {
  await requireEndInRange(trx, teamId, date);
  return { date, at: getEndOfDay(date, (await getTeam(trx, teamId)).time_zone) };
}

interface NewEnd {
  id: string;
  /** Null for none. */
  ends_on: string | null;
}

/** Saves the end dates of members and invitations. Emails about an earlier date don't count for a new one. */
export async function saveEndDates(trx: Trx, teamId: string, ends: readonly NewEnd[]): Promise<void> {
  if (ends.length === 0) return;
  const { time_zone } = await getTeam(trx, teamId);
  await saveEnds(
    trx,
    teamId,
    ends.map(({ id, ends_on }) => ({
      id,
      ends_on,
      ends_at: ends_on === null ? null : getEndOfDay(ends_on, time_zone),
    })),
  );
}

/** Moves the ends of a team's memberships to the time zone that it has now. */
export async function moveEnds(trx: Trx, teamId: string): Promise<void> {
  const { time_zone } = await getTeam(trx, teamId);
  const dates = await listEndDates(trx, teamId);
  await saveEndsByDate(
    trx,
    teamId,
    dates.map((ends_on) => ({ ends_on, ends_at: getEndOfDay(ends_on, time_zone) })),
  );
}
