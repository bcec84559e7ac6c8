import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  saveProfile,
} from '@steward/contract/account';
import {
  answerInvitation,
  leaveTeam,
  listOwnInvitations,
  type OwnInvitation,
} from '@steward/contract/account/memberships';
import { getMe } from '@steward/contract/session';
import { listTeamMembers } from '@steward/contract/session/teams';
import { pickProfile, type User } from '@steward/contract/users';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { refreshTeams } from '#workspace/session/session.ts';
import { currentSession, setSession } from '#workspace/session/session-state.ts';

/** Who is signed in, admin of a team or not. */
export const meQueryOptions = queryOptionsFor(getMe, {});

/** Teams the user belongs to, with their roles. */
export function membershipsQueryOptions(userId: string) {
  return queryOptionsFor(listTeamMembers, { params: { userId } });
}

export const invitationsQueryOptions = queryOptionsFor(listOwnInvitations, {});

export const ownSessionsQueryOptions = queryOptionsFor(listOwnSessions, {});

/** Changes the own names, here and in the header. */
export function useSaveProfile() {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(saveProfile),
    onSuccess: (user: User) => {
      client.setQueryData(meQueryOptions.queryKey, user);
      const session = currentSession();
      if (session !== null) setSession({ ...session, user: { ...session.user, ...pickProfile(user) } });
    },
  });
}

/** Changes the password; the other sessions have ended then. The input isn't cached. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(changePassword),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ownSessionsQueryOptions.queryKey }),
  });
}

/** Ends one other session. */
export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(endOwnSession),
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsQueryOptions.queryKey }),
  });
}

/** Ends all other sessions. */
export function useEndOtherSessions() {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(endOtherSessions),
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsQueryOptions.queryKey }),
  });
}

/** Accepts or declines an invitation, and says so: its own row disappears with the answer. */
export function useAnswerInvitation({ team_name }: OwnInvitation) {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(answerInvitation),
    onSuccess: (_answer, { body }) =>
      showAlert({ kind: 'success', text: body.accept ? `You joined ${team_name}` : `You declined ${team_name}` }),
    onError: ({ id, message }) =>
      showAlert({ kind: 'error', text: id === 'record.not_found' ? 'This invitation was canceled.' : message }),
    onSettled: () => refetchTeams(client),
  });
}

/** Leaves a team. */
export function useLeaveTeam() {
  const client = useQueryClient();
  return useMutation({ ...mutationOptionsFor(leaveTeam), onSettled: () => refetchTeams(client) });
}

/** Teams and invitations change together; the portal's own list of teams follows. */
async function refetchTeams(client: QueryClient): Promise<void> {
  await refreshTeams().catch(() => undefined);
  await client.invalidateQueries({ queryKey: [listOwnInvitations.name] });
  await client.invalidateQueries({ queryKey: [listTeamMembers.name] });
}
