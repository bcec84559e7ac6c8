import { inTransaction, type Trx } from '@steward/server/src/platform/database/database.ts';
import { hashPassword, newPassword } from '@steward/server/src/platform/security/passwords.ts';
import { findAccount } from '@steward/server/src/workspace/access/accounts.store.ts';
import { removeUserLinks } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { addMembership } from '@steward/server/src/workspace/users/memberships.store.ts';
import { addTeam } from '@steward/server/src/workspace/users/teams.store.ts';
import { addUser, savePassword } from '@steward/server/src/workspace/users/users.store.ts';
import { type Command, Mistake } from '../command.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';

const OWNER = ['team_user', 'team_admin', 'team_owner'];

export const createTeam: Command = {
  summary: 'Create a team and its owner',
  notes: [
    'If the email address already has an account, that account becomes the owner and keeps its password.\n' +
      'Otherwise, without --owner-password, the new account gets a random password that is printed only once.',
  ],
  options: {
    name: { value: 'name', help: 'Name of the team', required: true },
    'owner-email': { value: 'email', help: 'Email address of the owner', required: true },
    'owner-password': { value: 'password', help: 'Password for a new account; visible to other users of this machine' },
    'time-zone': { value: 'zone', help: 'Time zone of the team, such as Europe/Berlin (default UTC)' },
  },
  prepare: (given) => {
    const chosen = given['owner-password'];
    const wanted = {
      display_name: read(typed.teamName, 'name', given.name),
      email: read(typed.email, 'owner-email', given['owner-email']),
      time_zone: read(typed.timeZone, 'time-zone', given['time-zone'] ?? 'UTC'),
      password: chosen === undefined ? newPassword() : read(typed.password, 'owner-password', chosen),
    };
    return async (workspace, say) => {
      const { teamId, ownerId, usedPassword } = await addTeamWithOwner(workspace, wanted);
      const made = usedPassword && chosen === undefined ? { password: wanted.password } : {};
      if (!usedPassword) say(`${wanted.email} already has an account and keeps its password.`);
      return {
        result: { team_id: teamId, owner_id: ownerId, ...made },
        lines: [
          `Team   ${teamId}`,
          `Owner  ${ownerId} (${wanted.email})`,
          ...(made.password ? [`Password ${made.password} (shown only once)`] : []),
        ],
      };
    };
  },
};

/** Creates the team. Its owner gets a new account unless the address has one that can sign in. */
async function addTeamWithOwner(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  wanted: { display_name: string; time_zone: string; email: string; password: string },
): Promise<{ teamId: string; ownerId: string; usedPassword: boolean }> {
  const { display_name, time_zone, email, password } = wanted;
  const passwordHash = await hashPassword(password);
  return inTransaction(workspace.db, async (trx) => {
    const teamId = await addTeam(trx, { display_name, time_zone });
    const { ownerId, usedPassword } = await findOrAddOwner(trx, email, passwordHash);
    await addMembership(trx, { teamId, userId: ownerId, roles: OWNER });
    const event: AuditEvent = { action: 'teams.created', teamId, actorId: null, target: ownerId };
    await addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });
    return { teamId, ownerId, usedPassword };
  });
}

async function findOrAddOwner(
  trx: Trx,
  email: string,
  passwordHash: string,
): Promise<{ ownerId: string; usedPassword: boolean }> {
  const added = await addUser(trx, { email, first_name: '', last_name: '', password_hash: passwordHash });
  if (added !== undefined) return { ownerId: added, usedPassword: true };
  const account = await findAccount(trx, email);
  if (!account) throw new Error(`${email} was changed at the same time. Try again.`);
  if (account.is_integration) throw new Mistake(`${email} is the help desk user, which can't own a team.`);
  if (account.password_hash !== null) return { ownerId: account.id, usedPassword: false };
  await savePassword(trx, account.id, passwordHash);
  await removeUserLinks(trx, account.id);
  return { ownerId: account.id, usedPassword: true };
}
