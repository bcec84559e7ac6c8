import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { saveRoles } from '@steward/server/src/workspace/users/memberships.store.ts';
import type { TestApp } from '@steward/server/testing/app/start-app.ts';
import * as factories from '@steward/server/testing/workspace/factories.ts';

export interface Team {
  id: string;
  name: string;
  owner: factories.SignedInUser;
}

export async function makeTeam(node: TestApp, name = 'Northwind'): Promise<Team> {
  const id = await factories.team(node, name);
  const names = { first_name: 'Olivia', last_name: 'Owner' };
  return { id, name, owner: await factories.signedIn(node, { team: id, kind: 'owner', ...names }) };
}

/** The change looks as if an owner had made it elsewhere. */
export async function setAccountKind(
  node: TestApp,
  { teamId, userId, kind }: { teamId: string; userId: string; kind: keyof typeof factories.ROLES },
): Promise<void> {
  await inTransaction(node.db, (trx) => saveRoles(trx, { teamId, userId, roles: factories.ROLES[kind] }));
}
