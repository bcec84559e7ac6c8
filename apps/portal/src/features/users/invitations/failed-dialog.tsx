import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { failedInvitationsQueryOptions } from './failed-invitations.queries.ts';
import classes from './invitation.module.css';
import { CancelDialog, type Invitee, ResendDialog } from './invitation-dialogs.tsx';

interface FailedDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** The undelivered invitations, each to be resent or canceled. */
export function FailedDialog({ opened, onClose }: FailedDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const { data } = useQuery(failedInvitationsQueryOptions(teamId));
  const done = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'resend' | 'cancel', Invitee>('resend', done);
  const Answer = current.what === 'resend' ? ResendDialog : CancelDialog;
  return (
    <>
      <Dialog opened={opened} onClose={onClose} title="Undelivered invitations" width={600} closable={!current.opened}>
        <ul className={classes.list}>
          {data?.records.map(({ user_id, email, failed_at, error }) => {
            const person = { id: user_id, email, first_name: '', last_name: '' };
            return (
              <li key={user_id} className={classes.failed}>
                <div className={classes.what}>
                  <strong>
                    <bdi>{email}</bdi>
                  </strong>
                  <p className={classes.text}>
                    <Timestamp at={failed_at} />
                    {error !== '' && (
                      <>
                        : “<bdi>{error}</bdi>”
                      </>
                    )}
                  </p>
                </div>
                <div className={classes.buttons}>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Resend invitation to ${email}`}
                    onClick={() => open('resend', person)}
                  >
                    Resend
                  </Button>
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Cancel invitation to ${email}`}
                    onClick={() => open('cancel', person)}
                  >
                    Cancel invitation
                  </Button>
                </div>
              </li>
            );
          })}
        </ul>
        <p role="status" className={classes.text}>
          {data?.records.length === 0 && 'All invitations have been delivered.'}
        </p>
        <DialogButtons>
          <Button ref={done} variant="default" data-autofocus onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
      {current.about !== null && <Answer key={current.time} person={current.about} opened={current.opened} onClose={close} />}
    </>
  );
}
