import { inTransaction, isAborted } from '#platform/database/database.ts';
import { Refusal, refuse } from '#platform/http/errors.ts';
import { getOrigin } from '#platform/http/http.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addLoggedCall } from '#workspace/people/identity-providers/provisioning.store.ts';
import { lockTeam } from '#workspace/people/teams.store.ts';
import type { Provisioning } from '../provisioning.ts';
import { isActiveScimToken } from '../tokens.store.ts';
import { type ScimAnswer, type ScimCall, toLoggedCall } from './scim-call.ts';

/**
 * Makes a change: the team is locked, and the change, its audit rows and its line in the log are one transaction. A team's changes
 * follow one another, so that no two of them remove its last owners, or add one user twice.
 */
export async function changeByScim(
  call: ScimCall,
  work: (provisioning: Provisioning) => Promise<ScimAnswer>,
): Promise<ScimAnswer> {
  const { deps, request, teamId, tokenId, createdBy } = call;
  const transaction = inTransaction(deps.db, async (trx) => {
    const notes: string[] = [];
    await lockTeam(trx, teamId);
    // It may have been removed, or its creator demoted, while this waited.
    if (!(await isActiveScimToken(trx, teamId, tokenId))) refuse('scim.token_required');
    const answer = await work({
      ...{ trx, deps, teamId, tokenId, createdBy },
      audit: (event) => addAuditEvent(trx, event, getOrigin(request)),
      note: (sentence) => void notes.push(sentence),
    });
    await addLoggedCall(
      trx,
      toLoggedCall(request, teamId, { status: answer.status, effect: notes.join(' ') || 'Nothing changed.' }),
    );
    return answer;
  });
  return transaction.catch((error) => {
    // Providers take a 409 for a user who exists, and don't send the call again.
    throw isAborted(error) ? new Refusal('server.unavailable') : error;
  });
}
