import type { SessionMethod } from '@steward/contract/session';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { queueMail } from '#platform/mail/mail.ts';
import { newToken } from '#platform/security/secrets.ts';
import type { Account } from '#workspace/people/accounts.store.ts';
import { managesTeam } from '#workspace/people/members/managers.store.ts';
import { describeDevice } from './device.ts';
import type { Known } from './known-devices.store.ts';
import { newDeviceMail } from './new-device.mail.ts';
import type { NewSession } from './sessions.store.ts';
import { saveStartedSession } from './start-session.store.ts';

/** A sign-in whose proof was checked. */
export interface SessionStart {
  account: Pick<Account, 'id' | 'email' | 'create_at'>;
  method: SessionMethod;
  /** Whether a second factor or a passkey was used. */
  hasSecondFactor: boolean;
  origin: Origin;
  /** What the client calls its device; '' for a browser. */
  deviceId?: string;
  /** Token of the session this browser has now; it ends when the new one starts. */
  earlier: string | undefined;
  /** Token of the device cookie, and whether it or the network is known. */
  device: string | undefined;
  known: Known;
  /** Where the session begins at an identity provider: it opens this team only. */
  sso?: NewSession['sso'];
  /** Counters of failed attempts that start over. */
  counters?: readonly string[];
}

/** A session that began: its token, and the token by which its browser is known from now on. */
export interface StartedSession {
  token: string;
  personId: string;
  device: string;
}

/**
 * Starts a session with a new token, and records the sign-in. The caller has locked the account, and has seen that it may sign in,
 * in the same transaction.
 */
export async function startSession(trx: Trx, deps: Deps, start: SessionStart): Promise<StartedSession> {
  const { account, method, origin } = start;
  const token = newToken();
  // A token that isn't known for this person isn't taken over: someone else may have put it there.
  const device = start.known === 'device' && start.device !== undefined ? start.device : newToken();
  await saveStartedSession(trx, {
    token,
    session: {
      personId: account.id,
      deviceId: start.deviceId ?? '',
      userAgent: origin.userAgent,
      address: origin.address,
      device,
      method,
      hasSecondFactor: start.hasSecondFactor,
      ...(start.sso && { sso: start.sso }),
    },
    earlier: start.earlier ?? '',
    signIn: { personId: account.id, outcome: 'ok', method, origin, teamId: start.sso?.teamId },
    audit: { action: 'session.signed_in', teamId: '', actorId: account.id, target: account.id },
    counters: start.counters ?? [],
  });
  if (start.known === 'no') await notifyNewDevice(trx, deps, start);
  return { token, personId: account.id, device };
}

/** No email in the first 24 hours of an account, in milliseconds: every device is new to it. */
const YOUNG_MS = 24 * 3_600_000;

/** Emails owners and admins whose account was used from a browser and a network that it wasn't used from before. */
async function notifyNewDevice(
  trx: Trx,
  deps: Deps,
  { account: { id, email, create_at }, origin }: SessionStart,
): Promise<void> {
  const at = Date.now();
  if (at - create_at < YOUNG_MS || !(await managesTeam(trx, id))) return;
  const device = describeDevice(origin.userAgent);
  const mail = newDeviceMail(deps.env, { to: email, device, address: origin.address, at });
  await queueMail(trx, deps, { kind: 'session.new_device', personId: id, mail });
}
