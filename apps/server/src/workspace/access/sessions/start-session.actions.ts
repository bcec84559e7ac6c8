import type { SessionMethod } from '@steward/contract/session';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { newToken } from '#platform/security/secrets.ts';
import { toAuditRow } from '#workspace/audit/audit.store.ts';
import { managesTeam } from '#workspace/users/managers.store.ts';
import { findUserWhere, type UserRow } from '#workspace/users/users.store.ts';
import { newDeviceMail } from '../account.mail.ts';
import { type Account, opensByPassword } from '../accounts.store.ts';
import { describeDevice } from './device.ts';
import type { Known } from './known-devices.store.ts';
import { type NewSession, removeSession } from './sessions.store.ts';
import { type StartedRows, saveSessionOfPassword, saveStartedSession } from './sign-ins.store.ts';

export interface SessionStart {
  account: Pick<Account, 'id' | 'email' | 'create_at'>;
  method: SessionMethod;
  /** A passkey counts as one. */
  hasSecondFactor: boolean;
  origin: Origin;
  /** The name that the client gives to its device; '' for a browser. */
  deviceId?: string;
  /** Token of the session this browser has now; it ends when the new one starts. */
  earlier: string | undefined;
  /** Token of the device cookie, and whether it or the network is known. */
  device: string | undefined;
  known: Known;
  /** Set if the session begins at an identity provider: it opens this team only. */
  sso?: NewSession['sso'];
  /** Counters of failed attempts that start over. */
  counters?: readonly string[];
}

/** The browser is known by the token `device` from now on. */
export interface StartedSession {
  token: string;
  userId: string;
  device: string;
}

/**
 * Starts a session with a new token, and records the sign-in. The caller has locked the account, and has seen that it may sign in,
 * in the same transaction.
 */
export async function startSession(trx: Trx, deps: Deps, start: SessionStart): Promise<StartedSession> {
  const rows = toRows(deps, start);
  await saveStartedSession(trx, rows);
  if (start.known === 'no') await notifyNewDevice(trx, deps, start);
  return toStarted(rows);
}

export interface StartedUser extends StartedSession {
  user: UserRow;
}

/**
 * Starts a session in a single statement if the password alone opens the account. Otherwise, and if the user may have
 * to be emailed, returns undefined and starts nothing.
 */
export async function startSessionByPassword(
  deps: Deps,
  start: SessionStart & { account: Account },
): Promise<StartedUser | undefined> {
  if (start.known === 'no' && !isYoung(start.account)) return undefined;
  const rows = toRows(deps, start);
  if (!(await saveSessionOfPassword(deps.db, rows, start.account))) return undefined;
  // Someone who was deactivated in the meantime must get no session. The token of this one hasn't left the server.
  const user = await findUserWhere(deps.db, opensByPassword(start.account));
  if (user) return { ...toStarted(rows), user };
  await inTransaction(deps.db, (trx) => removeSession(trx, rows.token));
  return undefined;
}

function toRows({ secrets }: Deps, start: SessionStart): StartedRows {
  const { account, method, origin } = start;
  const who = { teamId: '', actorId: account.id, target: account.id };
  return {
    token: newToken(),
    session: {
      userId: account.id,
      deviceId: start.deviceId ?? '',
      userAgent: origin.userAgent,
      address: origin.address,
      // A token that isn't known for this user isn't reused: someone else may have put it there.
      device: start.known === 'device' && start.device !== undefined ? start.device : newToken(),
      method,
      hasSecondFactor: start.hasSecondFactor,
      ...(start.sso && { sso: start.sso }),
    },
    earlier: start.earlier ?? '',
    signIn: { userId: account.id, outcome: 'ok', method, origin, teamId: start.sso?.teamId },
    audit: toAuditRow(secrets, { action: 'session.signed_in', ...who, origin }),
    counters: start.counters ?? [],
  };
}

const toStarted = ({ token, session }: StartedRows): StartedSession => ({
  token,
  userId: session.userId,
  device: session.device,
});

const YOUNG_MS = 24 * 3_600_000;

/** No email in the first 24 hours of an account: every device is new to it. */
const isYoung = ({ create_at }: Pick<Account, 'create_at'>): boolean => Date.now() - create_at < YOUNG_MS;

/** Emails owners and admins whose account was used from a new browser on a new network. */
async function notifyNewDevice(trx: Trx, deps: Deps, { account, origin }: SessionStart): Promise<void> {
  const { id, email } = account;
  if (isYoung(account) || !(await managesTeam(trx, id))) return;
  const device = describeDevice(origin.userAgent);
  const mail = newDeviceMail(deps.env, { to: email, device, address: origin.address, at: Date.now() });
  await queueMail(trx, deps, { kind: 'session.new_device', userId: id, mail });
}
