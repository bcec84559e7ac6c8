import type * as endpoints from '@steward/contract/account';
import type * as preferences from '@steward/contract/account/preferences';
import { EMAIL_KINDS, type EmailKind, LOCKED_EMAILS, OFF_AT_FIRST } from '@steward/contract/account/preferences';
import type { Answer, Received } from '@steward/contract/api/endpoint';
import { PROFILE_FIELDS } from '@steward/contract/users';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Call } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { hashPassword, isTooCommon, withHashingPlace } from '#platform/security/passwords.ts';
import { passwordChangedMail } from '#workspace/access/account.mail.ts';
import { lockPassword } from '#workspace/access/accounts.store.ts';
import { inAuthorizedTransaction } from '#workspace/access/authorized-transaction.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import { checkPassword } from '#workspace/access/factors/check-password.actions.ts';
import { describeDevice } from '#workspace/access/sessions/device.ts';
import { removeUserLinks } from '#workspace/access/sessions/links.store.ts';
import {
  endSessions,
  listUserSessions,
  endOtherSessions as removeOtherSessions,
  sessionLimits,
} from '#workspace/access/sessions/sessions.store.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { toUser } from '#workspace/users/user.ts';
import {
  type EmailChoices,
  findEmail,
  findEmailChoices,
  findUser,
  lockEmailChoices,
  saveEmailChoices,
  savePassword,
  saveProfile as storeProfile,
} from '#workspace/users/users.store.ts';

const DONE = { status_code: 200 } as const;

/** Saving the stored names writes no audit row. */
export async function saveProfile(
  trx: Trx,
  { who, profile }: { who: SignedIn; profile: Received<typeof endpoints.saveProfile>['body'] },
): Promise<Changed<typeof endpoints.saveProfile>> {
  const { userId } = who;
  const before = await findUser(trx, userId);
  await storeProfile(trx, userId, profile);
  const after = await findUser(trx, userId);
  if (!before || !after) refuse('session.required');
  const isSame = PROFILE_FIELDS.every((name) => before[name] === after[name]);
  const audit: AuditEvent = { action: 'session.profile_saved', teamId: '', actorId: userId, target: userId };
  return { answer: toUser(after), audit: isSame ? null : audit };
}

/** All other sessions of the caller end. */
export async function changePassword(
  deps: Deps,
  { who, authorize, body, origin }: Call<typeof endpoints.changePassword, SignedIn>,
): Promise<Answer<typeof endpoints.changePassword>> {
  const { userId } = who;
  if (await isTooCommon(body.new_password)) refuse('password.too_common');
  const email = await findEmail(deps.db, userId);
  const checked = await checkPassword(deps, { email, password: body.current_password, origin });
  await checked.clearAttempts();
  const passwordHash = await withHashingPlace(getNetwork(origin.address), (place) =>
    hashPassword(body.new_password, place),
  );
  return inAuthorizedTransaction({ db: deps.db, authorize }, async (trx) => {
    // A password reset during the hashing ended this session; the password of the reset stays.
    if (!(await lockPassword(trx, userId, checked.hash))) refuse('session.required');
    await savePassword(trx, userId, passwordHash);
    const sessions = await removeOtherSessions(trx, who);
    await removeUserLinks(trx, userId);
    const mail = passwordChangedMail(deps.env, email, 'all other devices');
    await queueMail(trx, deps, { kind: 'session.password_changed', userId, mail });
    const details = { sessions };
    const event: AuditEvent = {
      action: 'session.password_changed',
      teamId: '',
      actorId: userId,
      target: userId,
      details,
    };
    await addAuditEvent(trx, deps, { ...event, origin });
    return { ...DONE, revoked: sessions };
  });
}

export async function listOwnSessions(deps: Deps, who: SignedIn): Promise<Answer<typeof endpoints.listOwnSessions>> {
  const { userId, session } = who;
  const teamId = session.only_team_id;
  const whose = { userId, ...(teamId !== null && { teamId }) };
  const rows = await listUserSessions(deps.db, whose, sessionLimits(deps.env));
  const records = rows.map(({ user_agent, ...row }) => ({
    ...row,
    device: describeDevice(user_agent),
    is_current: row.id === who.sessionId,
  }));
  return { records };
}

export async function endOwnSession(
  trx: Trx,
  deps: Deps,
  { who, sessionId }: { who: SignedIn; sessionId: string },
): Promise<Changed<typeof endpoints.endOwnSession>> {
  if (sessionId === who.sessionId) refuse('users.own_account');
  const ended = await endSessions(trx, { userId: who.userId, sessionId }, sessionLimits(deps.env));
  if (ended.length === 0) refuse('record.not_found');
  return { answer: DONE, audit: toEndedEvent(who, ended.length) };
}

export async function endOtherSessions(trx: Trx, who: SignedIn): Promise<Changed<typeof endpoints.endOtherSessions>> {
  const sessions = await removeOtherSessions(trx, who);
  return { answer: { ...DONE, revoked: sessions }, audit: sessions === 0 ? null : toEndedEvent(who, sessions) };
}

function toEndedEvent({ userId }: SignedIn, sessions: number): AuditEvent {
  return { action: 'session.ended', teamId: '', actorId: userId, target: userId, details: { sessions } };
}

export async function getPreferences(deps: Deps, who: SignedIn): Promise<Answer<typeof preferences.getPreferences>> {
  return toPreferences(toEmails(await findEmailChoices(deps.db, who.userId)));
}

/** Saving the stored preferences writes no audit row. */
export async function savePreferences(
  trx: Trx,
  { who: { userId }, emails }: { who: SignedIn } & Received<typeof preferences.savePreferences>['body'],
): Promise<Changed<typeof preferences.savePreferences>> {
  const before = toEmails(await lockEmailChoices(trx, userId));
  const after = mapKinds((kind) => emails[kind] ?? before[kind]);
  const answer = toPreferences(after);
  if (EMAIL_KINDS.every((kind) => after[kind] === before[kind])) return { answer, audit: null };
  const changed = EMAIL_KINDS.filter((kind) => after[kind] === OFF_AT_FIRST.includes(kind));
  const isWanted = (kind: EmailKind) => OFF_AT_FIRST.includes(kind);
  const choices = { wanted: changed.filter(isWanted), muted: changed.filter((kind) => !isWanted(kind)) };
  await saveEmailChoices(trx, userId, choices);
  return {
    answer,
    audit: { action: 'session.preferences_saved', teamId: '', actorId: userId, target: userId },
  };
}

type Emails = Record<EmailKind, boolean>;

function mapKinds(isOn: (kind: EmailKind) => boolean): Emails {
  return Object.fromEntries(EMAIL_KINDS.map((kind) => [kind, isOn(kind)])) as Emails;
}

function toEmails({ muted, wanted }: EmailChoices): Emails {
  return mapKinds((kind) => (OFF_AT_FIRST.includes(kind) ? wanted.includes(kind) : !muted.includes(kind)));
}

function toPreferences(emails: Emails): Answer<typeof preferences.getPreferences> {
  return { emails, locked: [...LOCKED_EMAILS] };
}
