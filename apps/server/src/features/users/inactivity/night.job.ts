import { z } from 'zod';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMails } from '#platform/mail/mail.ts';
import { newToken } from '#platform/security/secrets.ts';
import { deactivateMember } from '#workspace/access/memberships/end-membership.actions.ts';
import { addAuditEvent, JOB_ORIGIN } from '#workspace/audit/audit.store.ts';
import { listActivitySources } from '#workspace/users/activity-sources.store.ts';
import { listManagers } from '#workspace/users/managers.store.ts';
import { lockMembers, type MemberRow } from '#workspace/users/members.store.ts';
import { getTeamName, lockTeam } from '#workspace/users/teams.store.ts';
import { listNamesInTeam } from '#workspace/users/users.store.ts';
import { askMail, inactiveMail, nightMail } from './inactivity.mail.ts';
import { addNight, addSteps, endNight, findNight, findRunningNight, type StoredNight } from './nights.store.ts';
import { findRuleTonight, listTeamsWithNight } from './rule.store.ts';
import { countActiveMembers, listTonight, type NightRule, type Step } from './steps.store.ts';
import {
  addWarnings,
  listUndelivered,
  recordAccepted,
  removeOutdatedWarnings,
  removeWarnings,
  saveReminded,
  type Warning,
} from './warnings.store.ts';

/** Looks every minute for teams whose night has begun, at 02:00 in their time zone, and for nights that a stop interrupted. */
const nights = defineJob({
  name: 'users.inactivity',
  payload: z.unknown(),
  retries: 3,
  retrySeconds: 5,
  schedule: '* * * * *',
});

/** Members in one transaction, so that other calls don't wait long for its locks. */
const BATCH = 50;
/** Members who are found at once. */
const NEXT = 1_000;
/** Deactivated people whom the email to owners names. */
const NAMED = 20;
/** A night that would touch more than one in so many members asks an owner first. */
const ASKS_ABOVE = 10;

export function createInactivityWorker(deps: Deps) {
  return defineWorker(nights, () => runInactivityNights(deps));
}

/** An error is logged and tried again in a minute, and doesn't delay other teams. */
export async function runInactivityNights(deps: Deps): Promise<void> {
  for (const teamId of await listTeamsWithNight(deps.db))
    await runNight(deps, teamId).catch((error) =>
      deps.log.error({ err: error, team: teamId }, 'users: a night of the inactivity rule failed'),
    );
}

async function runNight(deps: Deps, teamId: string): Promise<void> {
  const night = await inTransaction(deps.db, (trx) => openNight(trx, deps, teamId));
  if (night === undefined) return;
  while (!deps.jobs.isStopping()) {
    const ids = await inTransaction(deps.db, (trx) => listNext(trx, { teamId, night }));
    if (ids.length === 0) return inTransaction(deps.db, (trx) => finish(trx, deps, { teamId, night }));
    for (let from = 0; from < ids.length && !deps.jobs.isStopping(); from += BATCH)
      await inTransaction(deps.db, (trx) => workOn(trx, deps, { teamId, night, ids: ids.slice(from, from + BATCH) }));
  }
}

/** Claims the night that has begun, and returns the one to work on: tonight, or one that a stop interrupted. */
async function openNight(trx: Trx, deps: Deps, teamId: string): Promise<string | undefined> {
  await lockTeam(trx, teamId);
  const running = await findRunningNight(trx, teamId);
  if (running) return running.night;
  const rule = await findRuleTonight(trx, teamId);
  if (!rule?.isOpen) return undefined;
  const key = { teamId, night: rule.tonight };
  const members = await countActiveMembers(trx, teamId);
  await recordAccepted(trx, teamId);
  if (await isSourceSilent(trx, rule)) {
    await addNight(trx, key, { state: 'paused', members, asked: [] });
    return undefined;
  }
  await removeOutdatedWarnings(trx, rule);
  const due = await listTonight(trx, rule);
  const asks = due.length * ASKS_ABOVE > members;
  const asked = asks ? due.map(({ id }) => id) : [];
  await addNight(trx, key, { state: asks ? 'asks' : 'running', members, asked });
  if (!asks) return rule.tonight;
  await askOwners(trx, deps, { ...key, asked: asked.length, members });
  return undefined;
}

async function isSourceSilent(trx: Trx, { teamId, source }: NightRule): Promise<boolean> {
  const sources = await listActivitySources(trx, teamId);
  return sources.find(({ kind }) => kind === source)?.is_silent ?? true;
}

interface NightOf {
  teamId: string;
  night: string;
}

/** Finding them reads all members, so it happens without locks. */
async function listNext(trx: Trx, key: NightOf): Promise<string[]> {
  const current = await findCurrent(trx, key);
  if (current === undefined) return [];
  const { confirmed_by, asked_ids } = current.stored;
  const only = confirmed_by === null ? {} : { ids: asked_ids };
  return (await listTonight(trx, current.rule, { limit: NEXT, ...only })).map(({ id }) => id);
}

/** Undefined if the rest is left to the next night: this one is of an earlier date, or the rule was switched off, or has no source. */
async function findCurrent(
  trx: Trx,
  { teamId, night }: NightOf,
): Promise<{ rule: NightRule; stored: StoredNight } | undefined> {
  const rule = await findRuleTonight(trx, teamId);
  const stored = await findNight(trx, { teamId, night });
  if (rule?.tonight !== night || stored?.state !== 'running' || (await isSourceSilent(trx, rule))) return undefined;
  return { rule, stored };
}

/** Whoever became active before their membership was locked is left out. */
async function workOn(trx: Trx, deps: Deps, { ids, ...key }: NightOf & { ids: readonly string[] }): Promise<void> {
  await lockTeam(trx, key.teamId);
  const { rule } = (await findCurrent(trx, key)) ?? {};
  if (rule === undefined) return;
  const members = await lockMembers(trx, key.teamId, ids);
  const due = await listTonight(trx, rule, { ids });
  const toDo = (wanted: Step) =>
    members.filter(({ id }) => due.some(({ id: dueId, step }) => dueId === id && step === wanted));
  await addWarnings(trx, rule, await sendWarnings(trx, deps, { rule, members: toDo('warn'), isSecond: false }));
  await saveReminded(trx, rule, await sendWarnings(trx, deps, { rule, members: toDo('remind'), isSecond: true }));
  for (const member of toDo('deactivate')) await deactivate(trx, deps, { rule, member });
  await addSteps(trx, key, due);
}

async function sendWarnings(
  trx: Trx,
  deps: Deps,
  { rule, members, isSecond }: { rule: NightRule; members: readonly MemberRow[]; isSecond: boolean },
): Promise<Warning[]> {
  if (members.length === 0) return [];
  const { teamId, days, tonight } = rule;
  const team = await getTeamName(trx, teamId);
  const endsOn = addDays(tonight, isSecond ? 3 : 14);
  const written = members.map(({ id, email: to }) => ({ id, to, token: newToken() }));
  const mails = written.map(({ id, to, token }) => ({
    userId: id,
    mail: inactiveMail(deps.env, { to, team, token, days, endsOn, isSecond }),
  }));
  const mailIds = await queueMails(trx, deps, { kind: 'users.inactive', teamId, mails });
  return written.map(({ id, token }, at) => ({ id, token, mailId: mailIds[at] ?? '' }));
}

const addDays = (date: string, days: number) =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

async function deactivate(
  trx: Trx,
  deps: Deps,
  { rule: { teamId, tonight }, member }: { rule: NightRule; member: MemberRow },
): Promise<void> {
  const { revoked: sessions, devices: before, links, tokens } = await deactivateMember(trx, deps, { teamId, member });
  await removeWarnings(trx, teamId, [member.id]);
  const details = { night: tonight, sessions, links, tokens, before };
  const event = { teamId, actorId: null, target: member.id, origin: JOB_ORIGIN, details };
  await addAuditEvent(trx, deps, { action: 'users.inactive_deactivated', ...event });
}

/** Ends a night, with one row in the audit log and one email to each owner if it touched somebody. */
async function finish(trx: Trx, deps: Deps, key: NightOf): Promise<void> {
  const { teamId } = key;
  await lockTeam(trx, teamId);
  const stored = await findNight(trx, key);
  if (stored?.state !== 'running') return;
  const { night, warned_ids, reminded_ids, deactivated_ids } = stored;
  await endNight(trx, { teamId, night });
  if (warned_ids.length + reminded_ids.length + deactivated_ids.length === 0) return;
  const details = {
    night,
    warned_users: warned_ids,
    reminded_users: reminded_ids,
    deactivated_users: deactivated_ids,
  };
  const event = { teamId, actorId: stored.confirmed_by, target: teamId, origin: JOB_ORIGIN, details };
  await addAuditEvent(trx, deps, { action: 'users.inactivity_night', ...event });
  const did = {
    warned: warned_ids.length + reminded_ids.length,
    deactivated: deactivated_ids.length,
    names: await listNamesInTeam(trx, teamId, deactivated_ids.slice(0, NAMED)),
    undelivered: (await listUndelivered(trx, teamId)).length,
  };
  const team = await getTeamName(trx, teamId);
  await mailOwners(trx, deps, { teamId, toMail: (to) => nightMail(deps.env, { to, teamId, team, night, ...did }) });
}

async function askOwners(
  trx: Trx,
  deps: Deps,
  asking: { teamId: string; night: string; asked: number; members: number },
): Promise<void> {
  const { teamId } = asking;
  const team = await getTeamName(trx, teamId);
  await mailOwners(trx, deps, { teamId, toMail: (to) => askMail(deps.env, { to, team, ...asking }) });
}

async function mailOwners(
  trx: Trx,
  deps: Deps,
  { teamId, toMail }: { teamId: string; toMail: (to: string) => ReturnType<typeof nightMail> },
): Promise<void> {
  const managers = await listManagers(trx, teamId, { except: [], kind: 'inactivity' });
  const owners = managers.filter(({ is_owner }) => is_owner);
  const mails = owners.map(({ id, email }) => ({ userId: id, mail: toMail(email) }));
  if (mails.length > 0) await queueMails(trx, deps, { kind: 'notices.inactivity', teamId, mails });
}
