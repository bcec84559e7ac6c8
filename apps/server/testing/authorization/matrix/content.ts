import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { team } from '#testing/workspace/factories.ts';
import { saveAdminsMayCreateTokens } from '#workspace/users/teams.store.ts';
import type { Matrix, World } from '../actors.ts';
import { forAdmins, forAll, forAnyone, forOwners, row, type Send, UNKNOWN } from './rows.ts';

const ownToken = ({ node, teamId }: World) => serviceToken(node, teamId);
const foreignToken = async ({ node }: World) => serviceToken(node, await team(node));

const toNote = ({ teamId }: World, headers = {}) => ({
  params: { teamId },
  headers: { ...headers, 'content-type': 'application/x-ndjson' },
  text: `${JSON.stringify({ kind: 'note', external_id: newId(), created_at: 1 })}\n`,
});

const whileAdminsMay =
  (may: boolean, send: Send): Send =>
  async (world, me) => {
    await inTransaction(world.node.db, (trx) => saveAdminsMayCreateTokens(trx, world.teamId, may));
    return send(world, me);
  };
const add = () => ({ body: { name: 'Chat service' } });
const removeOwn = async (world: World) => ({ params: { tokenId: (await ownToken(world)).id } });
const removeForeign = async (world: World) => ({ params: { tokenId: (await foreignToken(world)).id } });
const whileTheyMay = { about: 'while admins may create them' };

export const contentRows: Matrix = {
  // Only the token counts, not the session.
  addContent: [
    row('by a session alone', forAll(401), (world) => toNote(world)),
    forAnyone(async (world) => toNote(world, (await ownToken(world)).headers), { about: 'by a token of the team' }),
    row('by a token of another team', forAll(403), async (world) => toNote(world, (await foreignToken(world)).headers)),
  ],
  listTokens: [forAdmins()],
  addToken: [forOwners(whileAdminsMay(false, add)), forAdmins(whileAdminsMay(true, add), whileTheyMay)],
  removeToken: [
    forOwners(whileAdminsMay(false, removeOwn)),
    forAdmins(whileAdminsMay(true, removeOwn), whileTheyMay),
    forAdmins(whileAdminsMay(true, removeForeign), { ...UNKNOWN, about: 'of another team' }),
  ],
  getTokenPolicy: [forOwners()],
  saveTokenPolicy: [forOwners(whileAdminsMay(false, () => ({ body: { admins_may_create: true } })))],
};
