import { type Database, inTransaction } from '@steward/server/src/platform/database/database.ts';
import { findTeamSecurity, saveTeamSecurity } from '@steward/server/src/workspace/access/team-security.store.ts';
import { addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';

const NOTHING = { require_mfa: 'none' as const, idle_minutes: null, session_hours: null, networks: [] };

/** Clears what a team demands of sessions, except single sign-on; false if it demanded nothing. */
export async function clearSecurityPolicy(db: Database, teamId: string): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    if (!(await isTeam(trx, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
    const stored = await findTeamSecurity(trx, teamId);
    if (stored === null) return false;
    const { required_connection_id: _connection, ...before } = stored;
    if (JSON.stringify(before) === JSON.stringify(NOTHING)) return false;
    await saveTeamSecurity(trx, teamId, NOTHING);
    const event = { action: 'security.saved', teamId, actorId: null, target: teamId } as const;
    await addAuditEvent(trx, { ...event, details: { before, after: NOTHING } }, operatorOrigin());
    return true;
  });
}
