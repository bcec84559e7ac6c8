import { TOKEN_YEARS, TOKEN_YEARS_MAX, TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { toTokenExpiry } from '@steward/contract/tokens';
import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { addServiceToken, lockServiceTokens } from '@steward/server/src/workspace/access/tokens.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { findFirstOwner } from '@steward/server/src/workspace/people/members/managers.store.ts';
import { Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';

/** A token to create; without options as in the API. */
export interface TokenOptions {
  teamId: string;
  name: string;
  kinds?: readonly ContentKind[] | undefined;
  speakForUsers?: boolean;
  /** In milliseconds. */
  expiresAt?: number | undefined;
}

/** Makes a service token; what it answers is the only place where the token stands. It stops with the team's first owner. */
export async function createServiceToken(
  db: Database,
  { teamId, name, kinds = ContentKind.options, speakForUsers = false, expiresAt }: TokenOptions,
): Promise<{ id: string; token: string }> {
  return inTransaction(db, async (trx) => {
    if (!(await isTeam(trx, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
    const { count, now } = await lockServiceTokens(trx, teamId);
    if (count >= TOKENS_PER_TEAM)
      throw new Mistake(`The team has reached its limit of ${TOKENS_PER_TEAM} service tokens.`);
    const end = expiresAt ?? toTokenExpiry(now, TOKEN_YEARS);
    if (end <= now) throw new Mistake('--expires is in the past.');
    if (end > toTokenExpiry(now, TOKEN_YEARS_MAX))
      throw new Mistake(`--expires must be at most ${TOKEN_YEARS_MAX} years ahead.`);
    const [createdBy, sourceId] = [await findFirstOwner(trx, teamId), newId()];
    const made = await addServiceToken(trx, {
      ...{ teamId, name, createdBy, kinds, speakForUsers, expiresAt: end, sourceId },
    });
    const details = {
      ...{ name, kinds: [...kinds], speak_for_users: speakForUsers, expires_at: end, source_id: sourceId },
    };
    const event: AuditEvent = { action: 'tokens.added', teamId, actorId: null, target: made.id, details };
    await addAuditEvent(trx, event, operatorOrigin());
    return made;
  });
}
