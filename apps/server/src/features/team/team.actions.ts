import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { getRemoval } from '@steward/contract/retention/rules';
import type { saveTeamSettings, TeamSettings, ZoneEffect, ZonePreview } from '@steward/contract/team';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import { requireRecentSignIn } from '#workspace/access/step-up.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { computeCutoff, nextNight, toNight } from '#workspace/content/retention/cutoff.rules.ts';
import { restartNights } from '#workspace/content/retention/nights.store.ts';
import type { TeamRules } from '#workspace/content/retention/rule-schedule.rules.ts';
import { findTeamRules } from '#workspace/content/retention/team-rules.store.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { moveEnds } from '#workspace/users/end-dates.actions.ts';
import { getTeam, lockTeam, saveTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';

export async function readSettings(db: Database | Trx, teamId: string): Promise<TeamSettings> {
  const { display_name, time_zone } = await getTeam(db, teamId);
  return { display_name, time_zone };
}

export async function compareZones(db: Database, teamId: string, timeZone: string): Promise<ZonePreview> {
  const rules = (await findTeamRules(db, teamId)) ?? refuse('team.admin_required');
  return { current: describeZone(rules, rules.timeZone), next: describeZone(rules, timeZone) };
}

/** A rule that takes effect before the next run counts. */
function describeZone({ byKind, now }: TeamRules, time_zone: string): ZoneEffect {
  const next_run_at = nextNight(now, time_zone);
  const cutoffs = RETENTION_KINDS.flatMap((kind) => {
    const { current, scheduled } = byKind[kind];
    const removal = getRemoval(scheduled && scheduled.effectiveAt <= next_run_at ? scheduled.rule : current);
    const at = removal && computeCutoff(removal.duration, next_run_at, time_zone);
    return at === null ? [] : [{ kind, at }];
  });
  return { time_zone, next_run_at, cutoffs };
}

export async function saveSettings(
  trx: Trx,
  deps: Deps,
  { who, wanted }: { who: TeamAdmin; wanted: { display_name?: string | undefined; time_zone?: string | undefined } },
): Promise<Changed<typeof saveTeamSettings>> {
  const { teamId, userId: actorId } = who;
  await lockTeam(trx, teamId);
  const stored = await readSettings(trx, teamId);
  const { display_name = stored.display_name, time_zone = stored.time_zone } = wanted;
  const isRenamed = display_name !== stored.display_name;
  const isMoved = time_zone !== stored.time_zone;
  const answer = { display_name, time_zone };
  if (!isRenamed && !isMoved) return { answer, audit: null };
  if (isMoved) requireRecentSignIn(who);
  await saveTeam(trx, teamId, answer);
  if (isMoved) await moveEnds(trx, teamId);
  if (isMoved) await moveNights(trx, deps, { teamId, actorId, from: stored.time_zone, to: time_zone });
  const pick = (of: TeamSettings) => ({
    ...(isRenamed && { display_name: of.display_name }),
    ...(isMoved && { time_zone: of.time_zone }),
  });
  const details = { before: pick(stored), after: pick(answer) };
  return { answer, audit: { action: 'teams.saved', teamId, actorId, target: teamId, details } };
}

/** The next run is at the next 02:00 of the new zone, also if a run of the same date has been there already. */
async function moveNights(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, from, to }: { teamId: string; actorId: string; from: string; to: string },
): Promise<void> {
  const { now } = (await findTeamRules(trx, teamId)) ?? refuse('team.admin_required');
  await restartNights(trx, teamId, toNight(now, to));
  const by = defuseLinks(await findUserName(trx, actorId));
  await notifyManagers(trx, deps, {
    teamId,
    actorId,
    kind: 'retention',
    subject: 'time zone changed',
    describe: (team) =>
      `${by} changed the time zone of ${team} from ${from} to ${to}. Retention rules now run at 2:00 AM there, and count days from midnight there.`,
    action: { label: 'View retention', path: '/dashboard/team_settings/retention' },
  });
}
