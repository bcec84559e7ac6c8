import { TOKEN_YEARS, TOKEN_YEARS_MAX, TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import {
  type addToken,
  type removeToken,
  type saveTokenPolicy,
  type TokenPolicy,
  toTokenExpiry,
} from '@steward/contract/tokens';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { defuseLinks } from '#platform/mail/email-template.ts';
import type { TeamAdmin } from '#workspace/access/access.ts';
import {
  addServiceToken,
  endReplacedToken,
  listServiceTokens,
  lockServiceTokens,
  removeServiceToken,
} from '#workspace/access/tokens.store.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed, TeamActor } from '#workspace/changes/change.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { mayAdminsCreateTokens, saveAdminsMayCreateTokens } from '#workspace/users/teams.store.ts';
import { findUserName } from '#workspace/users/users.store.ts';

interface TokenForm {
  name: string;
  kinds?: ContentKind[] | undefined;
  speak_for_users: boolean;
  expires_at?: number | undefined;
  replaces?: string | undefined;
}

/** Creates a token, up to the limit of the team. The token is only in this response. */
export async function createApiToken(
  trx: Trx,
  deps: Deps,
  { who, form }: { who: TeamAdmin; form: TokenForm },
): Promise<Changed<typeof addToken>> {
  const { teamId, userId: actorId } = who;
  const { count, now } = await lockServiceTokens(trx, teamId);
  await requireMayCreate(trx, who);
  if (count >= TOKENS_PER_TEAM) refuse('tokens.too_many');
  const { name, replaces, speak_for_users } = form;
  const expiresAt = readExpiry(form.expires_at, now);
  const kinds = ContentKind.options.filter((kind) => form.kinds?.includes(kind) ?? true);
  const sourceId = replaces === undefined ? undefined : await endReplacedToken(trx, teamId, replaces);
  if (replaces !== undefined && sourceId === undefined) refuse('record.not_found');
  const added = { teamId, name, createdBy: actorId, kinds, speakForUsers: speak_for_users, expiresAt, sourceId };
  const { id, token } = await addServiceToken(trx, added);
  const row = (await listServiceTokens(trx, teamId)).find((listed) => listed.id === id);
  if (!row) throw new Error('the new token is missing');
  await notifyOfToken(trx, deps, { teamId, actorId, name });
  const details = {
    name,
    kinds,
    speak_for_users,
    expires_at: row.expires_at,
    source_id: row.source_id,
    ...(replaces === undefined ? {} : { replaces }),
  };
  const audit: AuditEvent = { action: 'tokens.added', teamId, actorId, target: id, details };
  return { answer: { ...row, token }, audit };
}

/** The end of a new token, in milliseconds; refuses one in the past or too far ahead. */
function readExpiry(given: number | undefined, now: number): number {
  const expiresAt = given ?? toTokenExpiry(now, TOKEN_YEARS);
  if (expiresAt <= now) refuse('request.invalid', 'expires_at: is in the past');
  if (expiresAt > toTokenExpiry(now, TOKEN_YEARS_MAX))
    refuse('request.invalid', `expires_at: must be at most ${TOKEN_YEARS_MAX} years ahead`);
  return expiresAt;
}

async function requireMayCreate(trx: Trx, { teamId, roles }: TeamAdmin): Promise<void> {
  if (!isOwnerOfTeam(roles) && !(await mayAdminsCreateTokens(trx, teamId))) refuse('team.owner_required');
}

async function notifyOfToken(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, name }: TeamActor & { name: string },
): Promise<void> {
  const [actor, label] = [defuseLinks(await findUserName(trx, actorId)), defuseLinks(name)];
  await notifyManagers(trx, deps, {
    teamId,
    actorId,
    kind: 'new_token',
    subject: 'new service token',
    describe: (team) => `${actor} created the service token “${label}” for ${team}. It lets a service import content.`,
    action: { label: 'View service tokens', path: '/dashboard/service_tokens' },
  });
}

export async function revokeToken(trx: Trx, who: TeamAdmin, tokenId: string): Promise<Changed<typeof removeToken>> {
  const { teamId, userId: actorId } = who;
  await requireMayCreate(trx, who);
  const name = await removeServiceToken(trx, teamId, tokenId);
  if (name === undefined) refuse('record.not_found');
  const audit: AuditEvent = { action: 'tokens.removed', teamId, actorId, target: tokenId, details: { name } };
  return { answer: { status_code: 200 }, audit };
}

/** Lets admins create and remove tokens, or only owners; existing tokens stay valid. */
export async function changeTokenPolicy(
  trx: Trx,
  { teamId, actorId }: TeamActor,
  policy: TokenPolicy,
): Promise<Changed<typeof saveTokenPolicy>> {
  const isChanged = await saveAdminsMayCreateTokens(trx, teamId, policy.admins_may_create);
  const audit: AuditEvent = { action: 'tokens.policy_saved', teamId, actorId, target: teamId, details: policy };
  return { answer: policy, audit: isChanged ? audit : null };
}
