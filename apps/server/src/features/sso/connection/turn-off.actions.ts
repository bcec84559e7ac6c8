import { inTransaction } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Origin } from '#platform/http/http.ts';
import { endConnectionSessions } from '#workspace/access/sessions/sessions.store.ts';
import { saveTeamSecurity } from '#workspace/access/team-security.store.ts';
import { addAuditEvent } from '#workspace/audit/audit.store.ts';
import { findConnection } from '#workspace/users/identity-providers/connections.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { switchOff } from './saved-connections.store.ts';

/** Called by the operator. Returns the number of ended sessions; undefined without a connection. */
export async function turnOffSso(
  deps: Pick<Deps, 'db' | 'secrets'>,
  teamId: string,
  origin: Origin,
): Promise<number | undefined> {
  return inTransaction(deps.db, async (trx) => {
    await lockTeam(trx, teamId);
    const connection = await findConnection(trx, teamId);
    if (connection === undefined) return undefined;
    const sessions = await endConnectionSessions(trx, { connectionId: connection.id });
    await switchOff(trx, teamId);
    await saveTeamSecurity(trx, teamId, { required_connection_id: null });
    const event = { teamId, actorId: null, target: teamId, details: { sessions } };
    await addAuditEvent(trx, deps, { action: 'sso.turned_off', ...event, origin });
    return sessions;
  });
}
