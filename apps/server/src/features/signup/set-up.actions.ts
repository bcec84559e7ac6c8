import type { Received } from '@steward/contract/api/endpoint';
import type * as endpoints from '@steward/contract/signup';
import { inTransaction, type Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Origin } from '#platform/http/http.ts';
import { getNetwork } from '#platform/http/network.ts';
import { hashPassword, isTooCommon, withHashingPlace } from '#platform/security/passwords.ts';
import { findAccount } from '#workspace/access/accounts.store.ts';
import { clearFailedAttempts } from '#workspace/access/sessions/failed-attempts.ts';
import { OWNER_ROLES } from '#workspace/access/signups/create-team.actions.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { addMembership } from '#workspace/users/memberships.store.ts';
import { addTeam, hasAnyTeam } from '#workspace/users/teams.store.ts';
import { addUser } from '#workspace/users/users.store.ts';
import { consumeSetUpLink, isSetUpLink, removeSetUpLink, replaceSetUpLink } from './set-up-links.store.ts';

type Form = Received<typeof endpoints.setUp>['body'];

/**
 * Path of a new link for the first team, if there is no team and not everyone may sign up one. Links of earlier starts, and of
 * other processes, end: only the newest is in the current output of the server.
 */
export async function offerSetUp({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<string | undefined> {
  return inTransaction(db, async (trx) => {
    if (env.signUp.mode !== 'open' && !(await hasAnyTeam(trx))) return `/setup?token=${await replaceSetUpLink(trx)}`;
    await removeSetUpLink(trx);
    return undefined;
  });
}

/** Only one of several concurrent calls succeeds. No user is signed in. */
export async function setUp(deps: Deps, form: Form, origin: Origin): Promise<void> {
  const passwordHash = await withHashingPlace(getNetwork(origin.address), async (place) => {
    // An invalid link is refused before the password is hashed, and reveals nothing about the form.
    if (!(await isSetUpLink(deps.db, form.token))) refuse('setup.link_invalid');
    if (await isTooCommon(form.password)) refuse('password.too_common');
    return hashPassword(form.password, place);
  });
  await inTransaction(deps.db, async (trx) => {
    // A team created by the operator since then ends the set-up too.
    if (!(await consumeSetUpLink(trx, form.token)) || (await hasAnyTeam(trx))) refuse('setup.link_invalid');
    const teamId = await addTeam(trx, { display_name: form.team_name, time_zone: form.time_zone });
    const ownerId = await findOrAddOwner(trx, form, passwordHash);
    await addMembership(trx, { teamId, userId: ownerId, roles: OWNER_ROLES });
    const event: AuditEvent = { action: 'teams.created', teamId, actorId: ownerId, target: ownerId };
    await addAuditEvent(trx, deps, { ...event, origin });
  });
  await clearFailedAttempts(deps, form.email, origin.address);
}

/** An existing account, from a deleted team, keeps its name and password. */
async function findOrAddOwner(trx: Trx, form: Form, password_hash: string): Promise<string> {
  const { email, first: first_name, last: last_name } = form;
  const added = await addUser(trx, { email, first_name, last_name, password_hash });
  return added ?? (await findAccount(trx, email))?.id ?? refuse('setup.link_invalid');
}
