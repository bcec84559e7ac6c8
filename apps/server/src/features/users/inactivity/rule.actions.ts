import { isDeepStrictEqual } from 'node:util';
import { isId } from '@steward/contract/api/fields';
import { EXCEPTIONS_PER_TEAM } from '@steward/contract/api/limits';
import type * as endpoints from '@steward/contract/users/inactivity';
import type { Inactivity, InactivityPreview, InactivityRule } from '@steward/contract/users/inactivity';
import type { Database, Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { listActivitySources } from '#workspace/users/activity-sources.store.ts';
import { requireEndInRange } from '#workspace/users/end-dates.actions.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import { listNights } from './nights.store.ts';
import {
  countExceptions,
  findException,
  getRule,
  listExceptions,
  planRule,
  removeException,
  type StoredException,
  saveException,
  saveRule,
} from './rule.store.ts';
import { countActiveMembers, countPlanned, listPlannedSteps, type PlannedStep, type Step } from './steps.store.ts';
import { countWarned, listUndelivered, removeWarnings } from './warnings.store.ts';

export async function readInactivity(db: Database | Trx, teamId: string): Promise<Inactivity> {
  const { rule, on_since } = await getRule(db, teamId);
  return {
    rule,
    on_since,
    sources: await listActivitySources(db, teamId),
    exceptions: await listExceptions(db, teamId),
    warned: await countWarned(db, teamId),
    undelivered: await listUndelivered(db, teamId),
    nights: await listNights(db, teamId),
  };
}

interface Place {
  teamId: string;
  actorId: string;
}

/** Saves the rule and emails the other owners and admins. A rule that is switched off withdraws its warnings. */
export async function changeRule(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, rule }: Place & { rule: InactivityRule },
): Promise<Changed<typeof endpoints.saveInactivity>> {
  await lockTeam(trx, teamId);
  const { rule: before } = await getRule(trx, teamId);
  if (rule.is_on) await requireSource(trx, teamId, rule);
  if (isDeepStrictEqual(before, rule)) return { answer: await readInactivity(trx, teamId), audit: null };
  await saveRule(trx, teamId, rule);
  if (!rule.is_on) await removeWarnings(trx, teamId);
  await tellManagers(trx, deps, { teamId, actorId, rule });
  const details = { before: toDetails(before), after: toDetails(rule) };
  return {
    answer: await readInactivity(trx, teamId),
    audit: { action: 'users.inactivity_saved', teamId, actorId, target: teamId, details },
  };
}

/** Without a source, the rule would take everyone for inactive. */
async function requireSource(db: Database | Trx, teamId: string, { source }: InactivityRule): Promise<void> {
  const sources = await listActivitySources(db, teamId);
  if (!sources.some(({ kind, is_on }) => kind === source && is_on)) refuse('inactivity.no_source');
}

async function tellManagers(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, rule }: Place & { rule: InactivityRule },
): Promise<void> {
  const actor = defuseLinks(await findUserName(trx, actorId));
  const describe = (team: string) =>
    rule.is_on
      ? `${actor} set the inactivity rule of ${team}: members are warned after ${rule.days} days without activity, and deactivated 14 days later.`
      : `${actor} switched the inactivity rule of ${team} off.`;
  const action = { label: 'View inactivity', path: '/users/inactivity' } as const;
  await notifyManagers(trx, deps, {
    teamId,
    actorId,
    kind: 'inactivity',
    subject: 'inactivity rule',
    describe,
    action,
  });
}

const toDetails = ({ source, days, ...rule }: InactivityRule) => ({
  ...rule,
  activity_source: source,
  inactive_days: days,
});

/** People of a night whom the preview names. */
const NAMED = 10;

export async function previewRule(
  deps: Deps,
  { teamId, actorId, rule }: Place & { rule: InactivityRule },
): Promise<InactivityPreview> {
  await requireSource(deps.db, teamId, rule);
  const planned = await planRule(deps.db, teamId, rule);
  return deps.countQueue.run({ key: teamId, user: actorId }, async () => {
    const members = await countActiveMembers(deps.slowQueryPool, teamId);
    const steps = await listPlannedSteps(deps.slowQueryPool, planned, NAMED);
    const dates = [...new Set(steps.map(({ night }) => night))];
    const nights = dates.map((night) => toPreviewNight(night, { members, steps }));
    return { members, nights, ...(await countPlanned(deps.slowQueryPool, planned)) };
  });
}

function toPreviewNight(night: string, { members, steps }: { members: number; steps: readonly PlannedStep[] }) {
  const find = (wanted: Step) => {
    const found = steps.find((step) => step.night === night && step.step === wanted);
    return { count: found?.count ?? 0, users: found?.users ?? [] };
  };
  const [warned, reminded, deactivated] = [find('warn'), find('remind'), find('deactivate')];
  const asks = (warned.count + reminded.count + deactivated.count) * 10 > members;
  return { night, warned, reminded, deactivated, asks };
}

const toExceptionDetails = ({ reason, until }: StoredException) => ({ reason, exception_until: until });

export async function addException(
  trx: Trx,
  { teamId, actorId, userId, reason, until }: Place & StoredException & { userId: string },
): Promise<Changed<typeof endpoints.saveInactivityException>> {
  await lockTeam(trx, teamId);
  const member = await findMember(trx, teamId, userId);
  if (!member || member.state === 'invited') refuse('record.not_found');
  if (until !== null) await requireEndInRange(trx, teamId, until);
  const before = await findException(trx, teamId, userId);
  if (!before && (await countExceptions(trx, teamId)) >= EXCEPTIONS_PER_TEAM) refuse('inactivity.too_many_exceptions');
  if (before?.reason === reason && before.until === until)
    return { answer: await readInactivity(trx, teamId), audit: null };
  await saveException(trx, { teamId, userId, addedBy: actorId, reason, until });
  await removeWarnings(trx, teamId, [userId]);
  const details = {
    ...(before && { before: toExceptionDetails(before) }),
    after: toExceptionDetails({ reason, until }),
  };
  return {
    answer: await readInactivity(trx, teamId),
    audit: { action: 'users.inactivity_excepted', teamId, actorId, target: userId, details },
  };
}

/** Repeated, it answers that there is no such exception. */
export async function endException(
  trx: Trx,
  { teamId, actorId, userId }: Place & { userId: string },
): Promise<Changed<typeof endpoints.removeInactivityException>> {
  await lockTeam(trx, teamId);
  const before = isId(userId) ? await findException(trx, teamId, userId) : undefined;
  if (!before) refuse('record.not_found');
  await removeException(trx, teamId, userId);
  const details = { before: toExceptionDetails(before) };
  return {
    answer: { status_code: 200 },
    audit: { action: 'users.inactivity_exception_ended', teamId, actorId, target: userId, details },
  };
}
