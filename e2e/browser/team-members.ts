import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { removePersonSessions } from '@steward/server/src/workspace/access/sessions/sessions.store.ts';
import { saveDeactivated, saveRoles } from '@steward/server/src/workspace/people/memberships.store.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import * as factories from '@steward/server/testing/workspace/factories.ts';

/** A team with an owner who has a session. */
export interface Team {
  id: string;
  name: string;
  owner: factories.SignedInPerson;
}

/** Creates a team for a test. */
export async function makeTeam(node: TestApp, name = 'Northwind'): Promise<Team> {
  const id = await factories.team(node, name);
  const names = { first_name: 'Olivia', last_name: 'Owner' };
  return { id, name, owner: await factories.signedIn(node, { team: id, kind: 'owner', ...names }) };
}

/** Changes a person's account kind, as if an owner had done it elsewhere. */
export async function setAccountKind(
  node: TestApp,
  { teamId, personId, kind }: { teamId: string; personId: string; kind: keyof typeof factories.ROLES },
): Promise<void> {
  await inTransaction(node.db, (trx) => saveRoles(trx, { teamId, personId, roles: factories.ROLES[kind] }));
}

/** Ends every session of a person, as if it had been done elsewhere. */
export async function signOutEverywhere(node: TestApp, personId: string): Promise<void> {
  await inTransaction(node.db, (trx) => removePersonSessions(trx, personId));
}

/** Deactivates a person in a team and ends their sessions, as if it had been done elsewhere. */
export async function deactivate(node: TestApp, teamId: string, personId: string): Promise<void> {
  await inTransaction(node.db, async (trx) => {
    await saveDeactivated(trx, { teamId, personId, deactivated: true });
    await removePersonSessions(trx, personId);
  });
}
