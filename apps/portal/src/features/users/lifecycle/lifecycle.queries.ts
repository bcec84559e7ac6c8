import { type ListedUser, listUsers, saveUser, type UserAction } from '@steward/contract/users';
import { deactivateUser, reactivateUser, removeUser, setOwner } from '@steward/contract/users/lifecycle';
import { toRoles } from '@steward/contract/users/roles';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { updateCachedLists } from '#platform/tables/cached-lists.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import type { LifecycleAction } from './lifecycle-actions.ts';

interface Change {
  teamId: string;
  user: ListedUser;
  action: LifecycleAction;
  /** The end date of a reactivated user; null for none. Absent keeps one that hasn't passed. */
  endsOn?: string | null;
}

export function useLifecycleAction() {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  // One key makes a repeated request change nothing twice. After Undo, the same action is a new change.
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const changes = useRef(0);
  return useMutation<unknown, Failure, Omit<Change, 'teamId'>>({
    mutationFn: (change) =>
      send(
        { ...change, teamId },
        { idempotencyKey: idempotencyKeyFor([change.action, change.endsOn, changes.current]) },
      ),
    onSuccess: (_answer, change) => {
      changes.current += 1;
      return showInLists(client, { ...change, teamId });
    },
    onError: (failure, change) => {
      // Someone else was faster, so the list is updated to the current state.
      if (failure.id === 'record.not_found') void showInLists(client, { ...change, teamId, action: 'remove' });
    },
  });
}

function send({ teamId, user, action, endsOn }: Change, options: { idempotencyKey: string }): Promise<unknown> {
  const params = { teamId, userId: user.id };
  switch (action) {
    case 'make_admin':
    case 'make_user': {
      const body = {
        email: user.email,
        account_type: action === 'make_admin' ? 1 : 2,
        if_exists: 'update',
      } as const;
      return call(saveUser, { params: { teamId }, body }, options);
    }
    case 'make_owner':
    case 'remove_owner':
      return call(setOwner, { params, body: { owner: action === 'make_owner' } }, options);
    case 'deactivate':
      return call(deactivateUser, { params }, options);
    case 'reactivate':
      return call(reactivateUser, { params, body: endsOn === undefined ? {} : { ends_on: endsOn } }, options);
    case 'remove':
      return call(removeUser, { params }, options);
  }
}

/** Rows are updated in place; short lists are also fetched from the server. */
function showInLists(client: QueryClient, { teamId, user, action, endsOn }: Change): Promise<void> {
  return updateCachedLists<ListedUser>(client, { endpoint: listUsers, teamId }, (list, filter) => {
    const showsDeactivated = (filter as { deactivated_accounts?: string }).deactivated_accounts === '1';
    const apply = (record: ListedUser) =>
      applyLifecycleAction(record, action, { at: Date.now(), showsDeactivated, endsOn }) ?? [];
    const pages = list.pages.map((page) => ({
      ...page,
      records: page.records.flatMap((record) => (record.id === user.id ? apply(record) : [record])),
    }));
    return { ...list, pages };
  });
}

const OWNER_ROLES: ListedUser['roles'] = ['team_user', 'team_admin', 'team_owner'];

/**
 * This predicts the server's row until the list is fetched again; null removes the row. The allowed actions are a guess
 * that the server confirms.
 */
function applyLifecycleAction(
  user: ListedUser,
  action: LifecycleAction,
  { at, showsDeactivated, endsOn }: { at: number; showsDeactivated: boolean; endsOn: string | null | undefined },
): ListedUser | null {
  switch (action) {
    case 'remove':
      return null;
    case 'deactivate': {
      const changed = {
        ...user,
        state: 'deactivated' as const,
        delete_at: at,
        abilities: withPrivacy(user, [...RETURN], 'deactivated'),
        refusals: {},
      };
      return showsDeactivated ? changed : null;
    }
    case 'reactivate':
      return {
        ...user,
        state: 'active',
        delete_at: 0,
        ends_on: endsOn === undefined ? user.ends_on : endsOn,
        refusals: {},
        abilities: withPrivacy(user, [...MEMBER, 'deactivate', 'remove'], 'active'),
      };
    case 'make_admin':
      return { ...user, roles: toRoles(1), account_type: 1, abilities: swap(user, 'make_admin', 'make_user') };
    case 'make_user':
      return { ...user, roles: toRoles(2), account_type: 2, abilities: swap(user, 'make_user', 'make_admin') };
    case 'make_owner':
      return { ...user, roles: OWNER_ROLES, account_type: 1, abilities: swap(user, 'make_owner', 'remove_owner') };
    case 'remove_owner':
      return { ...user, roles: toRoles(1), account_type: 1, abilities: swap(user, 'remove_owner', 'make_owner') };
  }
}

const RETURN: UserAction[] = ['view_sign_ins', 'reactivate', 'remove'];
const MEMBER: UserAction[] = ['edit', 'view_sessions', 'revoke_sessions', 'view_sign_ins', 'send_password_reset'];

/** Owners can export the data of every user, and erase deactivated users. */
function withPrivacy({ abilities }: ListedUser, others: UserAction[], state: ListedUser['state']): UserAction[] {
  if (!abilities.includes('export')) return others;
  return state === 'active' ? [...others, 'export'] : [...others, 'export', 'erase'];
}

function swap({ abilities }: ListedUser, from: UserAction, to: UserAction): UserAction[] {
  return abilities.map((name) => (name === from ? to : name));
}
