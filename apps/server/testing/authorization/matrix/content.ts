import { addContent } from '@steward/contract/content';
import { addToken, getTokenPolicy, listTokens, removeToken, saveTokenPolicy } from '@steward/contract/tokens';
import { newId } from '#platform/database/ids.ts';
import type { TestService } from '#testing/workspace/content.ts';
import type { Column, Matrix, MatrixRow, World } from '../actors.ts';
import { ADMINS, forAdmins, forOwners } from './rows.ts';

const forAll = (status: number): Record<Column, number> => ({
  OUT: status,
  TU: status,
  ZD: status,
  XA: status,
  TA: status,
  TO: status,
});
/** Only the token counts, not the session. */
function bySession(about: string, status: number, extractToken?: (world: World) => Promise<TestService>): MatrixRow {
  return {
    endpoint: addContent,
    about,
    expected: forAll(status),
    send: async (world) => ({
      params: { teamId: world.teamId },
      headers: { ...(await extractToken?.(world))?.headers, 'content-type': 'application/x-ndjson' },
      text: `${JSON.stringify({ kind: 'note', external_id: newId(), created_at: 1 })}\n`,
    }),
  };
}

export const contentRows: Matrix = {
  addContent: [
    bySession('by a session alone', 401),
    bySession('by a token of the team', 200, (world) => world.createFreshToken()),
    bySession('by a token of another team', 403, (world) => world.foreignToken()),
  ],
  listTokens: [forAdmins(listTokens)],
  addToken: [
    forOwners(addToken, async (world) => {
      await world.letAdminsCreateTokens(false);
      return { body: { name: 'Chat service' } };
    }),
    {
      ...forAdmins(addToken, async (world) => {
        await world.letAdminsCreateTokens(true);
        return { body: { name: 'Chat service' } };
      }),
      about: 'while admins may create them',
    },
  ],
  removeToken: [
    forOwners(removeToken, async (world) => {
      await world.letAdminsCreateTokens(false);
      return { params: { tokenId: (await world.createFreshToken()).id } };
    }),
    {
      ...forAdmins(removeToken, async (world) => {
        await world.letAdminsCreateTokens(true);
        return { params: { tokenId: (await world.createFreshToken()).id } };
      }),
      about: 'while admins may create them',
    },
    {
      ...forAdmins(removeToken, async (world) => {
        await world.letAdminsCreateTokens(true);
        return { params: { tokenId: (await world.foreignToken()).id } };
      }),
      about: 'of another team',
      expected: { ...ADMINS, TA: 404, TO: 404 },
    },
  ],
  getTokenPolicy: [forOwners(getTokenPolicy)],
  saveTokenPolicy: [forOwners(saveTokenPolicy, () => ({ body: { admins_may_create: false } }))],
};
