import { isDeepStrictEqual } from 'node:util';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { NO_RULES } from '@steward/server/src/workspace/access/team-security.rules.ts';
import { findTeamSecurity, saveTeamSecurity } from '@steward/server/src/workspace/access/team-security.store.ts';
import { addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { type Command, Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';

const { required_connection_id: _required, ...NO_REQUIREMENTS } = NO_RULES;

/** For a team whose sign-in security shuts its own owners out. */
export const securityOff: Command = {
  summary: "Clear a team's sign-in security, when it shuts every owner out",
  notes: [
    'Clears required second factors, limits of sessions and allowed networks. Takes effect on every server with the next request.',
  ],
  options: { team: { value: 'id', help: 'Id of the team', required: true } },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    return async (workspace) => {
      const isCleared = await clearSecurityPolicy(workspace, teamId);
      const line = isCleared ? 'Sign-in security cleared.' : 'The team had no sign-in security. Nothing was changed.';
      return { result: { cleared: isCleared }, lines: [line] };
    };
  },
};

/** Clears a team's requirements of sessions except single sign-on; returns false if it had none. */
async function clearSecurityPolicy(workspace: Pick<Workspace, 'db' | 'secrets'>, teamId: string): Promise<boolean> {
  return inTransaction(workspace.db, async (trx) => {
    if (!(await isTeam(trx, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
    const stored = await findTeamSecurity(trx, teamId);
    if (stored === null) return false;
    const { required_connection_id: _connection, ...before } = stored;
    if (isDeepStrictEqual(before, NO_REQUIREMENTS)) return false;
    await saveTeamSecurity(trx, teamId, NO_REQUIREMENTS);
    const event = { action: 'security.saved', teamId, actorId: null, target: teamId } as const;
    await addAuditEvent(trx, workspace, {
      ...event,
      details: { before, after: NO_REQUIREMENTS },
      origin: operatorOrigin(),
    });
    return true;
  });
}
