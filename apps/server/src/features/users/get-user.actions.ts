import { Id } from '@steward/contract/api/fields';
import type { UserDetails } from '@steward/contract/users/panel';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { hasFactor } from '#workspace/access/factors/factors.store.ts';
import { listPersonSessions, sessionLimits } from '#workspace/access/sessions/sessions.store.ts';
import { listHoldsOver } from '#workspace/content/holds/holds.store.ts';
import { findLinkedIdentity } from '#workspace/people/identity-providers/connections.store.ts';
import { toListedUser } from './list/list-users.actions.ts';
import { findUsers } from './list/users.store.ts';
import { findMemberFacts } from './member-facts.store.ts';
import { listSignIns } from './sign-ins.store.ts';
import type { TargetInput } from './users.actions.ts';

const LAST_SIGN_INS = 20;

export async function getUser(deps: Deps, { teamId, personId, caller }: TargetInput): Promise<UserDetails> {
  // An id from a path may hold characters that PostgreSQL can't even compare.
  if (!Id.safeParse(personId).success) refuse('record.not_found');
  const [row] = await findUsers(deps.db, teamId, [personId]);
  const facts = row && (await findMemberFacts(deps.db, { teamId, personId, email: row.email }));
  if (!facts) refuse('record.not_found');
  const { invited_by: inviter, inviter_name, ...rest } = facts;
  return {
    ...toListedUser(row, caller),
    ...rest,
    invited_by: inviter === null ? null : { id: inviter, name: inviter_name },
    sessions: row.state === 'active' ? await countSessions(deps, personId) : 0,
    sso: (await findLinkedIdentity(deps.db, teamId, personId)) ?? null,
    second_factor: row.state === 'active' && (await hasFactor(deps.db, personId)),
    holds: row.state === 'invited' ? [] : await listHoldsOver(deps.db, teamId, personId),
    // An invitation has none: sign-ins belong to accounts.
    sign_ins: await listSignIns(deps.db, { teamId, user_id: personId, before: undefined, limit: LAST_SIGN_INS }),
  };
}

async function countSessions({ db, env }: Deps, personId: string): Promise<number> {
  return (await listPersonSessions(db, personId, sessionLimits(env))).length;
}
