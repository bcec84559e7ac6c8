import { checkSignUp, finishSignUp, setUp, signUp } from '@steward/contract/signup';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { call, type Reply, type Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { addSignUp } from '#workspace/access/signups/signups.store.ts';
import { addInvitationLink, type NewInvitationLink } from '#workspace/users/invitation-links.store.ts';
import { PASSWORD, type TestUser, user } from './factories.ts';

export type TestSignUp = Awaited<ReturnType<typeof createSignUp>>;

/** Stores a sign-up without sending an email; `checked` if its link was opened. */
export async function createSignUp(
  node: TestApp,
  { checked = false, ...given }: Partial<Parameters<typeof addSignUp>[1]> & { checked?: boolean } = {},
) {
  const names = { owner_email: `${newId()}@example.test`, team_name: `Team ${newId()}` };
  const request = { ...names, invitees: [], time_zone: 'UTC', ...given };
  const { token } = await inTransaction(node.db, (trx) => addSignUp(trx, request));
  if (checked) await call(node, checkSignUp, { body: { token } });
  return { ...request, token };
}

export async function invitee(
  node: TestApp,
  teamId: string,
  options: { email?: string; first_name?: string; last_name?: string } = {},
): Promise<TestUser & { token: string }> {
  const who = await user(node, { ...options, team: teamId, pending: true });
  const link = { kind: 'invite', userId: who.id, teamId } as const;
  return { ...who, token: await inTransaction(node.db, (trx) => addLink(trx, link)) };
}

let networks = 0;

/** An address in another network each time, because of the limits per network. */
export function nextAddress(): string {
  networks += 1;
  return `2001:db8:${networks.toString(16)}::1`;
}

export function sendSignUp(node: TestApp, body: object, more: Sending = {}): Promise<Reply> {
  return call(node, signUp, { body: { team_name: 'Acme', invitees: [], ...body }, from: nextAddress(), ...more });
}

export function checkLink(node: TestApp, token: unknown, more: Sending = {}): Promise<Reply> {
  return call(node, checkSignUp, { body: { token }, ...more });
}

export function sendSetUp(node: TestApp, token: unknown, given: object = {}): Promise<Reply> {
  const body = { token, team_name: 'First', email: 'first@example.test', first: 'Ada', last: 'Lovelace' };
  return call(node, setUp, { body: { ...body, password: PASSWORD, ...given }, from: nextAddress() });
}

/** Finishes a sign-up or accepts an invitation with name and password. */
export function finishLink(node: TestApp, token: unknown, given: object = {}): Promise<Reply> {
  const names = { first: 'Ada', last: 'Lovelace', password: PASSWORD, password2: PASSWORD };
  return call(node, finishSignUp, { body: { token, ...names, ...given }, from: nextAddress() });
}

export function invitationLink(
  node: TestApp,
  given: Pick<NewInvitationLink, 'teamId' | 'createdBy'> & Partial<NewInvitationLink>,
): Promise<{ id: string; token: string }> {
  const link = { name: '', hours: 24, maxUses: 500, domains: [], ...given };
  return inTransaction(node.db, (trx) => addInvitationLink(trx, link));
}
