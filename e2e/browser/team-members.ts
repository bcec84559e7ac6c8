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
