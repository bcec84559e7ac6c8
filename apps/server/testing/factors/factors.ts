import { sql } from 'kysely';
import { generateSync } from 'otplib';
import { inTransaction } from '#platform/database/database.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { newRecoveryCodes, newTotpSecret, sealTotpSecret } from '#workspace/access/factors/codes.ts';
import { confirmTotp, savePendingTotp, saveRecoveryCodes } from '#workspace/access/factors/factors.store.ts';
import { addPasskey } from '#workspace/access/factors/passkeys.store.ts';

/** The user's newest session; '' without one. */
export async function findNewestSession(node: TestApp, userId: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from sessions where person_id = ${userId}
    order by created_at desc, id desc limit 1`.execute(node.db);
  return rows[0]?.id ?? '';
}

export async function pendingTotp(node: TestApp, userId: string): Promise<string> {
  const secret = newTotpSecret();
  const sealed = sealTotpSecret(node.deps.secrets, secret);
  const sessionId = await findNewestSession(node, userId);
  await inTransaction(node.db, (trx) => savePendingTotp(trx, { userId, sessionId }, sealed));
  return secret;
}

/** The user's sessions are confirmed with it. */
export async function passkey(node: TestApp, userId: string, origin: string) {
  const key = createAuthenticator({ origin, userHandle: userId });
  const added = await inTransaction(node.db, (trx) =>
    addPasskey(trx, {
      person_id: userId,
      credential_id: key.credentialId,
      public_key: key.publicKey,
      counter: 0,
      transports: ['internal'],
      device_type: 'singleDevice',
      backed_up: false,
      name: 'A passkey',
    }),
  );
  await confirmSessions(node, userId);
  return { id: added?.id ?? '', key };
}

const confirmSessions = (node: TestApp, userId: string) =>
  sql`update sessions set mfa_at = now() where person_id = ${userId}`.execute(node.db);

export type TestTotp = Awaited<ReturnType<typeof totpFactor>>;

/** The user's sessions are confirmed with it. */
export async function totpFactor(node: TestApp, userId: string) {
  const [secret, recoveryCodes] = [newTotpSecret(), newRecoveryCodes()];
  await inTransaction(node.db, async (trx) => {
    await savePendingTotp(trx, { userId, sessionId: '' }, sealTotpSecret(node.deps.secrets, secret));
    await confirmTotp(trx, userId, 1);
    await saveRecoveryCodes(trx, userId, recoveryCodes);
  });
  await confirmSessions(node, userId);
  return { secret, recoveryCodes };
}

export function toCode(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + steps * 30 });
}

/** Returns an unused code: a test can't wait for the next half minute. */
export async function freshCode(node: TestApp, userId: string, secret: string): Promise<string> {
  await sql`update totp_factors set last_step = 1 where person_id = ${userId}`.execute(node.db);
  return toCode(secret);
}
