import { isId } from '@steward/contract/api/fields';
import { LINKS_PER_TEAM } from '@steward/contract/api/limits';
import type * as endpoints from '@steward/contract/users/invitation-links';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { portalLink } from '#platform/mail/portal-link.ts';
import type { Changed, TeamActor } from '#workspace/changes/change.ts';
import { readEnd } from '#workspace/users/end-dates.actions.ts';
import * as store from '#workspace/users/invitation-links.store.ts';
import { removeInvitationsOfLink } from '#workspace/users/memberships.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { findInvitationLink } from './invitations.store.ts';

interface LinkForm {
  name: string;
  hours: number;
  max_uses: number;
  domains: string[];
  members_end_on: string | null;
}

/** Creates a link, up to the limit of the team. Its address is only in this response. */
export async function createLink(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, form }: TeamActor & { form: LinkForm },
): Promise<Changed<typeof endpoints.addInvitationLink>> {
  await lockTeam(trx, teamId);
  if ((await store.countOpenInvitationLinks(trx, teamId)) >= LINKS_PER_TEAM) refuse('users.too_many_links');
  const { name, hours, max_uses, domains, members_end_on } = form;
  const membersEnd = members_end_on === null ? undefined : await readEnd(trx, teamId, members_end_on);
  const added = { teamId, createdBy: actorId, name, hours, maxUses: max_uses, domains, membersEnd };
  const { id, token } = await store.addInvitationLink(trx, added);
  const link = await findInvitationLink(trx, teamId, id);
  if (!link) throw new Error('the new invitation link is missing');
  const details = { name, expires_at: link.expires_at, max_uses, email_domains: domains };
  const end = members_end_on !== null && { members_end_on };
  return {
    answer: { ...link, url: portalLink(deps.env, { path: '/join', token }) },
    audit: { action: 'users.link_created', teamId, actorId, target: id, details: { ...details, ...end } },
  };
}

/** Repeated, it answers that there is no such link. */
export async function revokeLink(
  trx: Trx,
  { teamId, actorId, linkId }: TeamActor & { linkId: string },
): Promise<Changed<typeof endpoints.revokeInvitationLink>> {
  await lockTeam(trx, teamId);
  const revoked = isId(linkId) ? await store.saveRevoked(trx, teamId, linkId) : undefined;
  if (revoked === undefined) refuse('record.not_found');
  const canceled = await removeInvitationsOfLink(trx, teamId, linkId);
  return {
    answer: { status_code: 200 },
    audit: { action: 'users.link_revoked', teamId, actorId, target: linkId, details: { ...revoked, canceled } },
  };
}
