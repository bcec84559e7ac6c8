import { askToJoin } from '@steward/contract/users/invitation-links';
import { inTransaction } from '#platform/database/database.ts';
import { call, type Reply, type Sending } from '#testing/app/call.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addInvitationLink, type NewLink } from '#workspace/users/invitation-links.store.ts';

/** An open link of the team, with its token. */
export function invitationLink(
  node: TestApp,
  given: Pick<NewLink, 'teamId' | 'createdBy'> & Partial<NewLink>,
): Promise<{ id: string; token: string }> {
  const link = { name: '', hours: 24, maxUses: 500, domains: [], ...given };
  return inTransaction(node.db, (trx) => addInvitationLink(trx, link));
}

export function sendAskToJoin(
  node: TestApp,
  body: { token: string; email: string },
  more: Sending = {},
): Promise<Reply> {
  return call(node, askToJoin, { body, ...more });
}
