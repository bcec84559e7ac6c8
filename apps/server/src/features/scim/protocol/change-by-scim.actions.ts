import { inTransaction, isAborted } from '#platform/database/database.ts';
import { Refusal, refuse } from '#platform/http/errors.ts';
import { getOrigin } from '#platform/http/http.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addLoggedCall } from '#workspace/users/identity-providers/provisioning.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import type { Provisioning } from '../provisioning.ts';
import { lockActiveScimToken } from '../tokens.store.ts';
import { type ScimAnswer, type ScimCall, toLoggedCall } from './scim-call.ts';

/**
 * Locks the team; the change, its audit rows and its log entry are one transaction. Changes of a team run one at a time, so
 * that no two of them remove its last owners or add a user twice.
 */
export async function changeByScim(
  call: ScimCall,
  work: (provisioning: Provisioning) => Promise<ScimAnswer>,
): Promise<ScimAnswer> {
  const { deps, request, teamId, tokenId, createdBy } = call;
  const transaction = inTransaction(deps.db, async (trx) => {
    const notes: string[] = [];
    await lockTeam(trx, teamId);
    // The token may have been removed, or its creator demoted, while this request waited for the lock.
    if (!(await lockActiveScimToken(trx, teamId, tokenId))) refuse('scim.token_required');
    const answer = await work({
      trx,
      deps,
      teamId,
      tokenId,
      createdBy,
      audit: (event) => addAuditEvent(trx, deps, { ...event, origin: getOrigin(request) }),
      note: (sentence) => void notes.push(sentence),
    });
    await addLoggedCall(
      trx,
      toLoggedCall(request, teamId, { status: answer.status, effect: notes.join(' ') || 'Nothing changed.' }),
    );
    return answer;
  });
  return transaction.catch((error) => {
    // Providers interpret 409 as an existing user and don't retry, so an aborted transaction is answered with 503.
    throw isAborted(error) ? new Refusal('server.unavailable') : error;
  });
}
