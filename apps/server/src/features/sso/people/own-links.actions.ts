import type { Answer } from '@steward/contract/api/endpoint';
import type { linkOwnAccount, listOwnLinks } from '@steward/contract/sso/identities';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { type SignedIn, toSsoPath } from '#workspace/access/enter-team.ts';
import { lacksOwnFactor } from '#workspace/access/step-up.ts';
import { listLinks } from './own-links.store.ts';

/** Where the user is linked, or can be. */
export async function getOwnLinks({ db }: Deps, { personId }: SignedIn): Promise<Answer<typeof listOwnLinks>> {
  const links = await listLinks(db, personId);
  return { records: links.map(({ connection_id: _connection, ...link }) => link) };
}

/** Where a browser links the user of a session, which needs what the sign-in will ask of it: the second factor, if there is one. */
export async function beginLink({ db }: Deps, who: SignedIn, teamId: string): Promise<Answer<typeof linkOwnAccount>> {
  if (await lacksOwnFactor(db, who)) refuse('session.reauth_required');
  const link = (await listLinks(db, who.personId)).find(({ team_id }) => team_id === teamId);
  if (link === undefined) refuse('record.not_found');
  return { sso_url: `${toSsoPath(link.connection_id)}?return=/account` };
}
