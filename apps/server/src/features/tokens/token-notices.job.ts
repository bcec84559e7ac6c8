import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { defineJob, defineWorker } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/mail/mail.ts';
import {
  listTeamsWithExpiringTokens,
  listTeamsWithNarrowedTokens,
  takeExpiringTokens,
  takeNarrowedTokens,
} from '#workspace/access/tokens.store.ts';
import { listManagers, listOwners, type Recipient } from '#workspace/users/managers.store.ts';
import { getTeam } from '#workspace/users/teams.store.ts';
import { expiryMail, narrowedMail } from './tokens.mail.ts';

/** Looks at each start and every hour for tokens that expire soon, and for rights that owners don't know about. */
const notices = defineJob({
  name: 'tokens.notices',
  retries: 0,
  retrySeconds: 1,
  everySeconds: 3_600,
});

/** On any number of nodes, each email is sent once. */
export function createTokenNoticesWorker(deps: Deps) {
  return defineWorker(notices, () => sendTokenNotices(deps));
}

/** Sends the emails that are due. A team's error is logged and tried again in an hour. */
export async function sendTokenNotices(deps: Deps): Promise<void> {
  await forEachTeam(deps, await listTeamsWithExpiringTokens(deps.db), tellOfExpiry);
  await forEachTeam(deps, await listTeamsWithNarrowedTokens(deps.db), tellOfRights);
}

type Tell = (trx: Trx, deps: Deps, teamId: string) => Promise<void>;

async function forEachTeam(deps: Deps, teamIds: readonly string[], tell: Tell): Promise<void> {
  for (const teamId of teamIds) {
    await inTransaction(deps.db, (trx) => tell(trx, deps, teamId)).catch((error) =>
      deps.log.error({ err: error, team: teamId }, 'tokens: could not send a notice'),
    );
  }
}

/** To each owner one email about all tokens, and to each other creator one about their own. */
async function tellOfExpiry(trx: Trx, deps: Deps, teamId: string): Promise<void> {
  const tokens = await takeExpiringTokens(trx, teamId);
  if (tokens.length === 0) return;
  const { display_name: team, time_zone: timeZone } = await getTeam(trx, teamId);
  const owners = await listOwners(trx, teamId);
  const isOwner = new Set(owners.map(({ id }) => id));
  const send = async ({ id, email }: Recipient, about: typeof tokens) => {
    const mail = expiryMail(deps.env, { to: email, teamId, team, tokens: about, timeZone });
    await queueMail(trx, deps, { kind: 'notices.token_expiry', teamId, userId: id, mail });
  };
  for (const owner of owners) await send(owner, tokens);
  for (const admin of await listManagers(trx, teamId, { except: [...isOwner], kind: undefined })) {
    const own = tokens.filter(({ created_by }) => created_by === admin.id);
    if (own.length > 0) await send(admin, own);
  }
}

async function tellOfRights(trx: Trx, deps: Deps, teamId: string): Promise<void> {
  const tokens = await takeNarrowedTokens(trx, teamId);
  if (tokens.length === 0) return;
  const { display_name: team } = await getTeam(trx, teamId);
  for (const { id, email } of await listOwners(trx, teamId)) {
    const mail = narrowedMail(deps.env, { to: email, teamId, team, tokens });
    await queueMail(trx, deps, { kind: 'notices.token_rights', teamId, userId: id, mail });
  }
}
