import {
  changePassword,
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  removePicture,
  savePicture,
  saveProfile,
} from '@steward/contract/account';
import { requestEmailChange } from '@steward/contract/account/email';
import {
  answerInvitation,
  leaveTeam,
  listOwnInvitations,
  type OwnInvitation,
} from '@steward/contract/account/memberships';
import { getPreferences, type Preferences, savePreferences } from '@steward/contract/account/preferences';
import { getMe } from '@steward/contract/session';
import { listTeamMembers } from '@steward/contract/session/teams';
import { linkOwnAccount, listOwnLinks } from '@steward/contract/sso/identities';
import { pickProfile, type User } from '@steward/contract/users';
import { exportOwnData, getOwnExport } from '@steward/contract/users/privacy';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';
import { showAlert, showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { refreshTeams } from '#workspace/session/session.ts';
import { currentSession, setSession } from '#workspace/session/session-state.ts';

/** The signed-in user may be an admin of no team. */
export const meQueryOptions = queryOptionsFor(getMe, {});

export function membershipsQueryOptions(userId: string) {
  return queryOptionsFor(listTeamMembers, { params: { userId } });
}

export const invitationsQueryOptions = queryOptionsFor(listOwnInvitations, {});

/** The list has only teams with single sign-on, linked to the user or not. */
export const ownLinksQueryOptions = queryOptionsFor(listOwnLinks, {});

export function useLinkOwnAccount() {
  return useMutation(mutationOptionsFor(linkOwnAccount));
}

export const ownSessionsQueryOptions = queryOptionsFor(listOwnSessions, {});

export function useSaveProfile() {
  const client = useQueryClient();
  return useMutation({ ...mutationOptionsFor(saveProfile), onSuccess: (user: User) => showUser(client, user) });
}

export function useSavePicture() {
  const client = useQueryClient();
  return useMutation<User, Failure, Blob>({
    mutationKey: [savePicture.name],
    mutationFn: (file) => call(savePicture, {}, { file }),
    onSuccess: (user) => showUser(client, user),
  });
}

export function useRemovePicture() {
  const client = useQueryClient();
  return useMutation({ ...mutationOptionsFor(removePicture), onSuccess: (user: User) => showUser(client, user) });
}

/** Shows changed names and pictures here and in the header. */
function showUser(client: QueryClient, user: User): void {
  client.setQueryData(meQueryOptions.queryKey, user);
  const session = currentSession();
  if (session === null) return;
  const { last_picture_update } = user;
  setSession({ ...session, user: { ...session.user, ...pickProfile(user), last_picture_update } });
}

/** The server also ends the other sessions. The input isn't cached. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(changePassword),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ownSessionsQueryOptions.queryKey }),
  });
}

export const preferencesQueryOptions = queryOptionsFor(getPreferences, {});

/** The new value is shown before it is saved, and reverted if saving fails. */
export function useSavePreferences() {
  const client = useQueryClient();
  const { queryKey } = preferencesQueryOptions;
  return useMutation({
    ...mutationOptionsFor(savePreferences),
    // Changes are sent one after the other, so that the last response includes all of them.
    scope: { id: savePreferences.name },
    onMutate: async ({ body }) => {
      await client.cancelQueries({ queryKey });
      client.setQueryData<Preferences>(queryKey, (shown) => shown && withEmails(shown, body.emails));
    },
    onError: showFailure,
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

function withEmails(
  shown: Preferences,
  emails: { [Kind in keyof Preferences['emails']]?: boolean | undefined },
): Preferences {
  const changed = Object.entries(emails).filter(([, value]) => value !== undefined);
  return { ...shown, emails: { ...shown.emails, ...Object.fromEntries(changed) } };
}

/** Sends a link to a new email address. The input isn't cached. */
export function useRequestEmailChange() {
  return useMutation({ ...mutationOptionsFor(requestEmailChange), gcTime: 0 });
}

export const endingSession = mutationOptionsFor(endOwnSession, { reloads: [listOwnSessions] });
export const endingOtherSessions = mutationOptionsFor(endOtherSessions, { reloads: [listOwnSessions] });

/** Shows an alert with the result, because the row of the invitation disappears. */
export function useAnswerInvitation({ team_name }: OwnInvitation) {
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(answerInvitation),
    onSuccess: (_answer, { body }) =>
      showSuccess(body.accept ? `You joined ${team_name}` : `You declined ${team_name}`),
    onError: ({ id, message }) =>
      showAlert({ kind: 'error', text: id === 'record.not_found' ? 'This invitation was canceled.' : message }),
    onSettled: () => refetchTeams(client),
  });
}

const EXPORT_POLL_MS = 1_500;

/** The export is fetched repeatedly while it is being written. */
export const ownExportQueryOptions = {
  ...queryOptionsFor(getOwnExport, {}),
  refetchInterval: pollWhile(
    (data: { export: { state: string } | null }) => ['queued', 'running'].includes(data.export?.state ?? ''),
    EXPORT_POLL_MS,
  ),
};

export function useExportOwnData() {
  return useMutation(mutationOptionsFor(exportOwnData, { refreshes: [getOwnExport] }));
}

export function useLeaveTeam() {
  const client = useQueryClient();
  return useMutation({ ...mutationOptionsFor(leaveTeam), onSettled: () => refetchTeams(client) });
}

/** Teams and invitations change together, and the portal's own list of teams has to follow. */
async function refetchTeams(client: QueryClient): Promise<void> {
  await refreshTeams().catch(() => undefined);
  await client.invalidateQueries({ queryKey: [listOwnInvitations.name] });
  await client.invalidateQueries({ queryKey: [listTeamMembers.name] });
}
