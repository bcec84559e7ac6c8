import { newId } from '#platform/database/ids.ts';
import type { TestService } from '#testing/workspace/content.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { ADMINS, forAdmins, forAll, forOwners } from './rows.ts';

/** Only the token counts, not the session. */
function bySession(about: string, status: number, extractToken?: (world: World) => Promise<TestService>): MatrixRow {
  return {
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
  listTokens: [forAdmins()],
  addToken: [
    forOwners(async (world) => {
      await world.letAdminsCreateTokens(false);
      return { body: { name: 'Chat service' } };
    }),
    forAdmins(
      async (world) => {
        await world.letAdminsCreateTokens(true);
        return { body: { name: 'Chat service' } };
      },
      { about: 'while admins may create them' },
    ),
  ],
  removeToken: [
    forOwners(async (world) => {
      await world.letAdminsCreateTokens(false);
      return { params: { tokenId: (await world.createFreshToken()).id } };
    }),
    forAdmins(
      async (world) => {
        await world.letAdminsCreateTokens(true);
        return { params: { tokenId: (await world.createFreshToken()).id } };
      },
      { about: 'while admins may create them' },
    ),
    forAdmins(
      async (world) => {
        await world.letAdminsCreateTokens(true);
        return { params: { tokenId: (await world.foreignToken()).id } };
      },
      { about: 'of another team', expected: { ...ADMINS, TA: 404, TO: 404 } },
    ),
  ],
  getTokenPolicy: [forOwners()],
  saveTokenPolicy: [forOwners(() => ({ body: { admins_may_create: false } }))],
};
