import { isId } from '@steward/contract/api/fields';
import { SCIM_TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { type addScimToken, type removeScimToken, SCIM_BASE } from '@steward/contract/scim';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { Changed, TeamActor } from '#workspace/changes/change.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';
import * as store from './tokens.store.ts';

/** The URL that an identity provider sends to. */
export function getBaseUrl({ env }: Pick<Deps, 'env'>): string {
  return env.publicUrl + SCIM_BASE;
}

/** The response is the only place where the token is readable. */
export async function addToken(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, name }: TeamActor & { name: string },
): Promise<Changed<typeof addScimToken>> {
  await lockTeam(trx, teamId);
  if ((await store.countScimTokens(trx, teamId)) >= SCIM_TOKENS_PER_TEAM) refuse('scim.too_many_tokens');
  const { id, token } = await store.addScimToken(trx, { teamId, name, createdBy: actorId });
  const [actor, label] = [defuseLinks(await findUserName(trx, actorId)), defuseLinks(name)];
  await notifyManagers(trx, deps, {
    teamId,
    actorId,
    kind: 'new_token',
    subject: 'new provisioning token',
    describe: (team) =>
      `${actor} created the provisioning token “${label}” for ${team}. It lets an identity provider add, change and deactivate users.`,
    action: { label: 'View provisioning', path: '/dashboard/team_settings/provisioning' },
  });
  return {
    answer: { id, name, token, base_url: getBaseUrl(deps) },
    audit: { action: 'scim.token_added', teamId, actorId, target: id, details: { name } },
  };
}

export async function removeToken(
  trx: Trx,
  { teamId, actorId }: TeamActor,
  tokenId: string,
): Promise<Changed<typeof removeScimToken>> {
  const name = isId(tokenId) ? await store.removeScimToken(trx, teamId, tokenId) : undefined;
  if (name === undefined) refuse('record.not_found');
  return {
    answer: { status_code: 200 },
    audit: { action: 'scim.token_removed', teamId, actorId, target: tokenId, details: { name } },
  };
}
