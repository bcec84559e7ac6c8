import { Button } from '@mantine/core';
import { revokeSessions, type User } from '@steward/contract/users';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { Confirmation } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useDelayed } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { Named } from '../list/person-name.tsx';
import { SessionList, type SessionsResult } from './session-list.tsx';
import { SessionReceipt } from './session-receipt.tsx';
import classes from './sessions.module.css';
import { type Holder, type Receipt, sessionsQueryOptions, useEndSession } from './sessions.queries.ts';

interface SessionsDialogProps {
  person: User;
  opened: boolean;
  onClose: () => void;
}

const WIDTH = 520;

/** Asks before a person is signed out everywhere (spec §8), shows where that is, and afterwards what was ended. */
export function RevokeDialog({ person, opened, onClose }: SessionsDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const holder = { teamId, userId: person.id };
  const { sessions, isReady } = useSessions(holder, opened);
  const ending = useEndSession(holder);
  const revoke = useMutation(mutationOptionsFor(revokeSessions));
  const [receipt, setReceipt] = useState<Receipt>();
  const endAll = () =>
    revoke.mutate(
      { params: holder },
      {
        onSuccess: ({ devices }) => {
          showAlert({ kind: 'success', text: 'All sessions of User revoked successfully' });
          const all = [...devices, ...ending.ended];
          if (all.length === 0) onClose();
          else setReceipt(all);
        },
        onError: (failure) => {
          showAlert({ kind: 'error', text: failure.message });
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
              <Named person={person} /> is signed out on every device at once, and password reset links that were sent
              before stop working. The account itself stays as it is; signing in again is possible.
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
        <SessionReceipt person={person} receipt={receipt} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Where oneself is signed in: others may be ended, the one in use ends by signing out. */
export function OwnSessionsDialog({ person, opened, onClose }: SessionsDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const holder = { teamId, userId: person.id };
  const { sessions, isReady } = useSessions(holder, opened);
  const ending = useEndSession(holder);
  return (
    <Dialog opened={opened && isReady} onClose={onClose} title="Your sessions" width={WIDTH}>
      <p className={classes.text}>
        End a session that you do not know or no longer use. To end the one that you are using, sign out.
      </p>
      <SessionList sessions={sessions} ending={ending} isBusy={ending.endingId !== undefined} />
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** The sessions; the dialog opens with them, unless they take long: a list that comes later would push its buttons away. */
function useSessions(holder: Holder, opened: boolean): { sessions: SessionsResult; isReady: boolean } {
  const { data, error, isFetching, isFetchedAfterMount, refetch } = useQuery({
    ...sessionsQueryOptions(holder),
    enabled: opened,
  });
  const isDelayed = useDelayed(!isFetchedAfterMount);
  const [wasReady, setReady] = useState(false);
  const isReady = wasReady || isDelayed || isFetchedAfterMount;
  if (isReady && !wasReady) setReady(true);
  // What an earlier dialog was told is not shown, not even in place of a failure: it may have ended since.
  const answer = isFetchedAfterMount
    ? { records: error === null ? data?.records : undefined, failure: error }
    : { records: undefined, failure: null };
  return { sessions: { ...answer, isFetching, retry: () => void refetch() }, isReady };
}
