import { TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import type { addToken, removeToken } from '@steward/contract/tokens';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { AuditEvent } from '#workspace/audit/audit.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { defuseLinks } from '#workspace/mail/email-template.ts';
import { notifyManagers } from '#workspace/notices/notify-managers.ts';
import { findPersonName } from '#workspace/people/people.store.ts';
import {
  addServiceToken,
  countServiceTokens,
  listServiceTokens,
  removeServiceToken,
} from '#workspace/tokens/tokens.store.ts';

interface Place {
  teamId: string;
  actorId: string;
}

/** Creates a token, up to the limit of the team. The token is only in this response. */
export async function createApiToken(
  trx: Trx,
  deps: Deps,
  { teamId, actorId, name }: Place & { name: string },
): Promise<Changed<typeof addToken>> {
  if ((await countServiceTokens(trx, teamId)) >= TOKENS_PER_TEAM) refuse('tokens.too_many');
  const { id, token } = await addServiceToken(trx, { teamId, name, createdBy: actorId });
  const row = (await listServiceTokens(trx, teamId)).find((listed) => listed.id === id);
  if (!row) throw new Error('the new token is missing');
  const [actor, label] = [defuseLinks(await findPersonName(trx, actorId)), defuseLinks(name)];
  await notifyManagers(trx, deps, {
    ...{ teamId, actorId, kind: 'new_token' },
    subject: 'new service token',
    describe: (team) => `${actor} created the service token “${label}” for ${team}. It lets a service import content.`,
    action: { label: 'View service tokens', path: '/dashboard/service_tokens' },
  });
  const audit: AuditEvent = { action: 'tokens.added', teamId, actorId, target: id, details: { name } };
  return { answer: { ...row, token }, audit };
}

/** Removes a token of the team. */
export async function revokeToken(
  trx: Trx,
  { teamId, actorId }: Place,
  tokenId: string,
): Promise<Changed<typeof removeToken>> {
  const name = await removeServiceToken(trx, teamId, tokenId);
  if (name === undefined) refuse('record.not_found');
  const audit: AuditEvent = { action: 'tokens.removed', teamId, actorId, target: tokenId, details: { name } };
  return { answer: { status_code: 200 }, audit };
}
