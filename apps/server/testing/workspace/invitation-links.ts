import { inTransaction } from '#platform/database/database.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addInvitationLink, type NewInvitationLink } from '#workspace/users/invitation-links.store.ts';

/** An open link of the team, with its token. */
export function invitationLink(
  node: TestApp,
  given: Pick<NewInvitationLink, 'teamId' | 'createdBy'> & Partial<NewInvitationLink>,
): Promise<{ id: string; token: string }> {
  const link = { name: '', hours: 24, maxUses: 500, domains: [], ...given };
  return inTransaction(node.db, (trx) => addInvitationLink(trx, link));
}
