import { Button, Stack, Text } from '@mantine/core';
import { INVITATION_HOURS } from '@steward/contract/api/limits';
import type { User } from '@steward/contract/users';
import type { Invitation } from '@steward/contract/users/invitations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { Named, type NamedUser } from '../user-name.tsx';
import {
  invitationQueryOptions,
  refreshInvitee,
  useCancelInvitation,
  useResendInvitation,
} from './invitations.queries.ts';

interface Status {
  mail: 'unknown' | 'waiting' | 'sent' | 'failed';
  link: 'works' | 'ended' | 'none';
}

export function getStatus({ sent_at, expires_at, mail }: Invitation, now: number): Status {
  return {
    mail: sent_at === null || mail === null ? 'unknown' : mail,
    link: expires_at === null ? 'none' : expires_at > now ? 'works' : 'ended',
  };
}

/** The invitation was accepted, or someone else canceled it. */
export function isNoLongerPending(id: string): boolean {
  return ['users.not_pending', 'record.not_found'].includes(id);
}

export function refusalText({ id, message }: { id: string; message: string }): string {
  return id === 'record.not_found' ? 'This invitation was already accepted or canceled.' : message;
}

/** The user hasn't accepted yet. */
export type Invitee = NamedUser & Pick<User, 'id'>;

interface InvitationDialogProps extends DialogControls {
  user: Invitee;
}

export function ResendDialog({ user, opened, onClose }: InvitationDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const invited = { teamId, userId: user.id };
  const { data, error } = useQuery({ ...invitationQueryOptions(invited), enabled: opened });
  const resend = useResendInvitation(invited);
  const isOver = error !== null && isNoLongerPending(error.id);
  useRefreshWhenNotPending(invited, isOver ? error : null);
  return (
    <Dialog opened={opened} onClose={onClose} title="Resend invitation" closable={!resend.isPending}>
      <Stack gap={12} style={{ overflowWrap: 'anywhere' }}>
        {data !== undefined && <StatusText invitation={data} />}
        {data === undefined && error === null && <Skeletons rows={1} height={40} />}
        {error !== null && (
          <Text c="dimmed" role="alert">
            {isOver ? refusalText(error) : `Couldn't load the invitation status: ${getFailureMessage(error)}`}
          </Text>
        )}
        {!isOver && (
          <Text c="dimmed">
            We'll email <Named user={user} /> a new link, valid for {INVITATION_HOURS} hours. Earlier links keep working
            until one is used.
          </Text>
        )}
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={resend.isPending} onClick={onClose}>
          {isOver ? 'Close' : 'Cancel'}
        </Button>
        {!isOver && (
          <Button
            loading={resend.isPending}
            onKeyDown={ignoreRepeat}
            onClick={() => resend.mutate(undefined, closeWithAlert('Invitation sent again', onClose, refusalText))}
          >
            Send again
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

export function CancelDialog({ user, opened, onClose }: InvitationDialogProps) {
  const { id: teamId, display_name } = useCurrentTeam();
  const cancel = useCancelInvitation({ teamId, userId: user.id });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Cancel invitation"
      question="Cancel this invitation?"
      detail={
        <>
          <Named user={user} /> will be removed from the list and their invitation links for {display_name} will stop
          working. You can invite them again later.
        </>
      }
      confirmLabel="Cancel invitation"
      cancelLabel="Keep invitation"
      danger
      pending={cancel.isPending}
      onConfirm={() => cancel.mutate(undefined, closeWithAlert('Invitation canceled', onClose, refusalText))}
    />
  );
}

/** The list behind the dialog is updated if the invitation is no longer pending. */
function useRefreshWhenNotPending({ teamId, userId }: { teamId: string; userId: string }, failure: Failure | null) {
  const client = useQueryClient();
  useEffect(() => {
    if (failure !== null) void refreshInvitee(client, { teamId, userId }, failure);
  }, [client, teamId, userId, failure]);
}

function StatusText({ invitation }: { invitation: Invitation }) {
  const { mail } = getStatus(invitation, Date.now());
  return (
    <Text px={12} py={10} bdrs={8} bg={mail === 'failed' ? 'var(--warning-soft)' : 'var(--surface-hover)'}>
      <MailText invitation={invitation} /> {mail !== 'failed' && <LinkText invitation={invitation} />}
    </Text>
  );
}

function MailText({ invitation }: { invitation: Invitation }) {
  const { sent_at, error } = invitation;
  const { mail } = getStatus(invitation, Date.now());
  if (sent_at === null || mail === 'unknown') return 'The status of the last invitation is unknown.';
  const at = <Timestamp at={sent_at} />;
  if (mail === 'waiting') return <>The invitation from {at} is still being sent.</>;
  if (mail === 'sent') return <>The last invitation was sent on {at}.</>;
  return (
    <>
      The invitation from {at} couldn't be delivered.{' '}
      {error !== '' && (
        <>
          The mail server said: “<bdi>{error}</bdi>”.
        </>
      )}
    </>
  );
}

function LinkText({ invitation }: { invitation: Invitation }) {
  const { expires_at } = invitation;
  if (expires_at === null) return "There's no valid invitation link.";
  const until = <Timestamp at={expires_at} />;
  return getStatus(invitation, Date.now()).link === 'works' ? (
    <>The link expires on {until}.</>
  ) : (
    <>The link expired on {until}.</>
  );
}
