import type { BulkAction, BulkFilter, SkipReason } from '@steward/contract/users/bulk';
import type { MemberState } from '@steward/contract/users/roles';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#platform/database/database.ts';
import { isIntegrationMember } from '#workspace/users/managers.store.ts';
import { memberState } from '#workspace/users/members.store.ts';
import { matchesSelection, toSelection } from '../list/selection.store.ts';
import type { Caller } from '../users.policy.ts';

/** A job changes users with these ids, or those that a list shows. */
export interface Targets {
  teamId: string;
  userIds: readonly string[] | null;
  filter: BulkFilter | null;
  /** A filter leaves out users who were invited or joined later than this, in milliseconds. */
  joinedUntil: number;
}

export interface Operation {
  action: BulkAction;
  caller: Caller;
  /** The date that `set_end` sets; null for other actions. */
  endsOn: string | null;
}

/** One user of a batch; `reason` says why they are skipped. */
export interface BulkTarget {
  id: string;
  email: string;
  state: MemberState;
  /** As in `MemberRow`; false for an invitation. */
  access_ended: boolean;
  ends_on: string | null;
  reason: SkipReason | null;
}

const state = (...states: readonly MemberState[]) => sql<boolean>`${memberState} = any(${states})`;
const isAdmin = sql<boolean>`m.roles && array['team_admin', 'team_owner']`;

/** Each condition finds the users to whom the action applies and for whom it would change something. */
const APPLIES: Record<BulkAction, (endsOn: string | null) => RawBuilder<boolean>> = {
  revoke: () => state('active'),
  deactivate: () => state('active'),
  reactivate: () => state('deactivated'),
  remove: () => state('invited', 'active', 'deactivated'),
  make_admin: () => sql`(${state('invited', 'active')} and not ${isAdmin})`,
  make_user: () => sql`(${state('invited', 'active')} and ${isAdmin})`,
  set_end: (endsOn) => sql`(${state('invited', 'active')} and m.ends_on is distinct from ${endsOn}::date)`,
  remove_end: () => sql`(${state('invited', 'active')} and m.ends_on is not null)`,
  resend: () => state('invited'),
  cancel_invitation: () => state('invited'),
};

/** Actions that change no role and no access of an owner's account. */
const ON_OWNERS: readonly BulkAction[] = ['revoke', 'resend', 'cancel_invitation'];
/** Actions that owners may take on other owners. */
const BY_OWNERS: readonly BulkAction[] = ['deactivate', 'reactivate', 'remove'];

/**
 * The reason to skip a user, or null: the rules of `users.policy.ts` as SQL on `memberships m`, because a filter can select
 * 100,000 users. `bulk.test.ts` compares them.
 */
function skipReason({ action, caller, endsOn }: Operation): RawBuilder<SkipReason | null> {
  const mayTouchOwners =
    ON_OWNERS.includes(action) || (BY_OWNERS.includes(action) && caller.roles.includes('team_owner'));
  const owner = mayTouchOwners ? sql`` : sql`when 'team_owner' = any(m.roles) then 'owner'`;
  return sql`case when m.person_id is null then 'not_found'
    when ${isIntegrationMember} then 'zendesk' when m.person_id = ${caller.userId} then 'self' ${owner}
    when not ${APPLIES[action](endsOn)} then 'state' end`;
}

/** The memberships `m` of the users. Those that a filter selects are read without a join. */
function select({ teamId, userIds, filter, joinedUntil }: Targets): RawBuilder<unknown> {
  if (!filter)
    return sql`(select distinct unnest(${userIds ?? []}::text[]) collate "C" as id) t
      left join memberships m on m.team_id = ${teamId} and m.person_id = t.id where true`;
  const { except = [], ...filters } = filter;
  return sql`memberships m where ${matchesSelection(toSelection(teamId, filters))}
    and not person_id = any(${except}) and create_at <= ${joinedUntil}`;
}

export async function countTargets(
  trx: Trx,
  targets: Targets,
  operation: Operation,
): Promise<{ affected: number; skipped: { reason: SkipReason; count: number }[] }> {
  const { rows } = await sql<{ reason: SkipReason | null; count: number }>`
    select ${skipReason(operation)} as reason, count(*)::int as count from ${select(targets)} group by 1 order by 1`.execute(
    trx,
  );
  const skipped = rows.flatMap(({ reason, count }) => (reason === null ? [] : [{ reason, count }]));
  return { affected: rows.find(({ reason }) => reason === null)?.count ?? 0, skipped };
}

export async function listNextTargets(
  trx: Trx,
  targets: Targets,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  if (!targets.filter) {
    const left = [...new Set(targets.userIds)].filter((id) => id > after);
    return left.sort().slice(0, limit);
  }
  const { rows } = await sql<{ id: string }>`
    select m.person_id as id from ${select(targets)} and m.person_id > ${after} order by m.person_id limit ${limit}`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

/** The same users as they are now. The caller has locked them. */
export async function findTargets(
  trx: Trx,
  teamId: string,
  of: Operation & { ids: readonly string[] },
): Promise<BulkTarget[]> {
  const { rows } = await sql<BulkTarget>`
    select t.id, coalesce(m.email, '') as email, ${memberState} as state,
      coalesce(m.deactivated, false) as access_ended, m.ends_on::text as ends_on, ${skipReason(of)} as reason
    from unnest(${[...of.ids]}::text[]) t (id)
    left join memberships m on m.team_id = ${teamId} and m.person_id = t.id order by t.id`.execute(trx);
  return rows;
}
