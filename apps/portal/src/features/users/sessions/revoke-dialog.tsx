import { Button, Text } from '@mantine/core';
import { revokeSessions, type User } from '@steward/contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { Confirmation } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { Named, type NamedUser } from '../user-name.tsx';
import { DeviceIcon, SessionDetails, SessionList, type SessionsResult, SignedOut } from './session-list.tsx';
import classes from './sessions.module.css';
import { type Holder, type Receipt, sessionsQueryOptions, useRevokeSession } from './sessions.queries.ts';

interface SessionsDialogProps extends DialogControls {
  user: User;
}

const WIDTH = 520;

/** Afterwards, the dialog lists the sessions that were revoked. */
export function RevokeDialog({ user, opened, onClose }: SessionsDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const holder = { teamId, userId: user.id };
  const { sessions, isReady } = useSessions(holder, opened);
  const ending = useRevokeSession(holder);
  const revoke = useMutation(mutationOptionsFor(revokeSessions));
  const [receipt, setReceipt] = useState<Receipt>();
  const endAll = () =>
    revoke.mutate(
      { params: holder },
      {
        onSuccess: ({ devices }) => {
          showSuccess('All sessions of User revoked successfully');
          const all = [...devices, ...ending.ended];
          if (all.length === 0) onClose();
          else setReceipt(all);
        },
        onError: (failure) => {
          showFailure(failure);
          onClose();
        },
      },
    );
  const isBusy = revoke.isPending || ending.endingId !== undefined;
  return (
    <Dialog
      opened={opened && isReady}
      onClose={onClose}
      title="Revoke all sessions"
      width={WIDTH}
      closable={!revoke.isPending}
    >
      {receipt === undefined ? (
        <Confirmation
          onClose={onClose}
          question="Are you sure You want to revoke all sessions of this User?"
          detail={
            <>
              <Named user={user} /> will be signed out of all devices, and unused password reset links will stop
              working. Their account isn't affected and they can sign in again.
            </>
          }
          confirmLabel="Revoke all sessions"
          danger
          pending={revoke.isPending}
          onConfirm={endAll}
        >
          <SessionList sessions={sessions} ending={ending} isBusy={isBusy} />
        </Confirmation>
      ) : (
        <SessionReceipt user={user} receipt={receipt} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** The current session is ended by signing out. */
export function OwnSessionsDialog({ user, opened, onClose }: SessionsDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const holder = { teamId, userId: user.id };
  const { sessions, isReady } = useSessions(holder, opened);
  const ending = useRevokeSession(holder);
  return (
    <Dialog opened={opened && isReady} onClose={onClose} title="Your sessions" width={WIDTH}>
      <Text c="dimmed">
        Sign out of any session you don't recognize. To end this one, choose Sign out from the account menu.
      </Text>
      <SessionList sessions={sessions} ending={ending} isBusy={ending.endingId !== undefined} />
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The dialog waits for the sessions unless they take long, because a list that appears later moves its buttons. */
function useSessions(holder: Holder, opened: boolean): { sessions: SessionsResult; isReady: boolean } {
  const { data, error, isFetching, isFetchedAfterMount, refetch } = useQuery({
    ...sessionsQueryOptions(holder),
    enabled: opened,
  });
  const isDelayed = useDelayed(!isFetchedAfterMount);
  const [wasReady, setReady] = useState(false);
  const isReady = wasReady || isDelayed || isFetchedAfterMount;
  if (isReady && !wasReady) setReady(true);
  // Sessions that an earlier dialog cached aren't shown, not even instead of an error, because they may have ended since.
  const answer = isFetchedAfterMount
    ? { records: error === null ? data?.records : undefined, failure: error }
    : { records: undefined, failure: null };
  return { sessions: { ...answer, isFetching, retry: () => void refetch() }, isReady };
}

interface SessionReceiptProps {
  user: NamedUser;
  receipt: Receipt;
  onClose: () => void;
}

/** The receipt replaces the question. */
function SessionReceipt({ user, receipt, onClose }: SessionReceiptProps) {
  const close = useRef<HTMLButtonElement>(null);
  // The focused button disappeared with the question.
  useEffect(() => close.current?.focus(), []);
  return (
    <>
      <Text c="dimmed" mb={16} style={{ overflowWrap: 'anywhere' }}>
        <Named user={user} /> was signed out of {receipt.length === 1 ? '1 device' : `${receipt.length} devices`}:
      </Text>
      <ul className={classes.list} aria-label="Revoked sessions">
        {receipt.map(({ device, address }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes, and two of its lines may be equal
          <li key={at} className={classes.session}>
            <DeviceIcon device={device} />
            <SessionDetails device={device} address={address} />
            <SignedOut />
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button ref={close} variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </>
  );
}
