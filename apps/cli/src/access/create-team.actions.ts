import { type Database, inTransaction, type Trx } from '@steward/server/src/platform/database/database.ts';
import { hashPassword } from '@steward/server/src/platform/security/passwords.ts';
import { findAccount } from '@steward/server/src/workspace/access/accounts.store.ts';
import { removePersonLinks } from '@steward/server/src/workspace/access/sessions/links.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { addMembership } from '@steward/server/src/workspace/people/memberships.store.ts';
import { addPerson, savePassword } from '@steward/server/src/workspace/people/people.store.ts';
import { addTeam } from '@steward/server/src/workspace/people/teams.store.ts';
import { Mistake } from '../command.ts';

const OWNER = ['team_user', 'team_admin', 'team_owner'];

/** Makes the team; the address joins it as owner, with a new account where it has none that can sign in. */
export async function addTeamWithOwner(
  db: Database,
  wanted: { display_name: string; time_zone: string; email: string; password: string },
): Promise<{ teamId: string; ownerId: string; usedPassword: boolean }> {
  const { display_name, time_zone, email, password } = wanted;
  const passwordHash = await hashPassword(password);
  return inTransaction(db, async (trx) => {
    const teamId = await addTeam(trx, { display_name, time_zone });
    const { ownerId, usedPassword } = await ownerFor(trx, email, passwordHash);
    await addMembership(trx, { teamId, personId: ownerId, roles: OWNER });
    const event: AuditEvent = { action: 'teams.created', teamId, actorId: null, target: ownerId };
    await addAuditEvent(trx, event, operatorOrigin());
    return { teamId, ownerId, usedPassword };
  });
}

async function ownerFor(
  trx: Trx,
  email: string,
  passwordHash: string,
): Promise<{ ownerId: string; usedPassword: boolean }> {
  const added = await addPerson(trx, { email, first_name: '', last_name: '', password_hash: passwordHash });
  if (added !== undefined) return { ownerId: added, usedPassword: true };
  const account = await findAccount(trx, email);
  if (!account) throw new Error(`${email} was changed at the same time. Try again.`);
  if (account.is_integration) throw new Mistake(`${email} is the help desk user, which can't own a team.`);
  if (account.password_hash !== null) return { ownerId: account.id, usedPassword: false };
  await savePassword(trx, account.id, passwordHash);
  await removePersonLinks(trx, account.id);
  return { ownerId: account.id, usedPassword: true };
}
