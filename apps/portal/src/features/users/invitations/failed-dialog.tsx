import { Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { RowButton } from '#platform/forms/row-button.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { failedInvitationsQueryOptions } from './failed-invitations.queries.ts';
import { CancelDialog, type Invitee, ResendDialog } from './invitation-dialogs.tsx';

interface FailedDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function FailedDialog({ opened, onClose }: FailedDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const { data } = useQuery(failedInvitationsQueryOptions(teamId));
  const done = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'resend' | 'cancel', Invitee>('resend', done);
  const Answer = current.what === 'resend' ? ResendDialog : CancelDialog;
  return (
    <>
      <Dialog opened={opened} onClose={onClose} title="Undelivered invitations" width={600} closable={!current.opened}>
        <Paper
          component="ul"
          withBorder={data?.records.length !== 0}
          m={0}
          p={0}
          mah="50dvh"
          style={{ overflowY: 'auto', listStyle: 'none' }}
        >
          {data?.records.map(({ user_id, email, failed_at, error }, at) => {
            const user = { id: user_id, email, first_name: '', last_name: '' };
            return (
              <Group
                key={user_id}
                renderRoot={(props) => <li {...props} />}
                gap="8px 16px"
                align="flex-start"
                p={12}
                {...(at > 0 && { style: { borderTop: '1px solid var(--hairline)' } })}
              >
                <Text component="div" flex="1 1 220px" miw={0} style={{ overflowWrap: 'anywhere' }}>
                  <strong>
                    <bdi>{email}</bdi>
                  </strong>
                  <Text c="dimmed">
                    <Timestamp at={failed_at} />
                    {error !== '' && (
                      <>
                        : “<bdi>{error}</bdi>”
                      </>
                    )}
                  </Text>
                </Text>
                <Group gap={8}>
                  <RowButton aria-label={`Resend invitation to ${email}`} onClick={() => open('resend', user)}>
                    Resend
                  </RowButton>
                  <RowButton aria-label={`Cancel invitation to ${email}`} onClick={() => open('cancel', user)}>
                    Cancel invitation
                  </RowButton>
                </Group>
              </Group>
            );
          })}
        </Paper>
        <Text role="status" c="dimmed">
          {data?.records.length === 0 && 'All invitations have been delivered.'}
        </Text>
        <DialogButtons>
          <Button ref={done} variant="default" data-autofocus onClick={onClose}>
            Close
          </Button>
        </DialogButtons>
      </Dialog>
      {current.about !== null && (
        <Answer key={current.time} user={current.about} opened={current.opened} onClose={close} />
      )}
    </>
  );
}
