import { TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { type Database, inTransaction } from '#platform/database/database.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addServiceToken, countServiceTokens } from '#workspace/tokens/tokens.store.ts';
import { Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import { operatorOrigin } from '../operator-origin.ts';

/** Makes a service token; what it answers is the only place where the token stands. */
export async function createServiceToken(
  db: Database,
  { teamId, name }: { teamId: string; name: string },
): Promise<{ id: string; token: string }> {
  return inTransaction(db, async (trx) => {
    if (!(await isTeam(trx, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
    if ((await countServiceTokens(trx, teamId)) >= TOKENS_PER_TEAM)
      throw new Mistake(`The team has reached its limit of ${TOKENS_PER_TEAM} service tokens.`);
    const made = await addServiceToken(trx, { teamId, name, createdBy: null });
    const event: AuditEvent = { action: 'tokens.added', teamId, actorId: null, target: made.id, details: { name } };
    await addAuditEvent(trx, event, operatorOrigin());
    return made;
  });
}
