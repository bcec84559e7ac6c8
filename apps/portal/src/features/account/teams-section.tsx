import { Text } from '@mantine/core';
import type { TeamMember } from '@steward/contract/session/teams';
import { accountKind, REAL_ACCOUNT } from '@steward/contract/users/roles';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { closeWithAlert } from '#platform/feedback/alerts.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import classes from './account.module.css';
import { membershipsQueryOptions, useLeaveTeam } from './account.queries.ts';
import { ListRow, Loaded, Section } from './section.tsx';

export function TeamsSection({ userId }: { userId: string }) {
  const list = useRef<HTMLDivElement>(null);
  const memberships = useQuery(membershipsQueryOptions(userId));
  const { current, open, close } = useDialogState<'leave', TeamMember>('leave', list);
  return (
    <Section title="Teams">
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        <Loaded {...memberships}>
          {(teams) =>
            teams.length === 0 ? (
              <Text c="dimmed">You don't belong to a team. Someone who manages one can invite you.</Text>
            ) : (
              <ul className={classes.list}>
                {teams.map((team) => (
                  <ListRow
                    key={team.team_id}
                    title={<bdi>{team.display_name}</bdi>}
                    text={accountKind({ roles: team.roles, type: REAL_ACCOUNT })}
                  >
                    <RowButton aria-label={`Leave ${team.display_name}`} onClick={() => open('leave', team)}>
                      Leave
                    </RowButton>
                  </ListRow>
                ))}
              </ul>
            )
          }
        </Loaded>
      </div>
      {current.about !== null && (
        <LeaveDialog key={current.time} team={current.about} opened={current.opened} onClose={close} />
      )}
    </Section>
  );
}

function LeaveDialog({ team, opened, onClose }: { team: TeamMember; opened: boolean; onClose: () => void }) {
  const { mutate, isPending } = useLeaveTeam();
  const leave = () =>
    mutate({ params: { teamId: team.team_id } }, closeWithAlert(`You left ${team.display_name}`, onClose));
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Leave team"
      question="Leave this team?"
      detail={
        <>
          You will lose access to <bdi>{team.display_name}</bdi> and its channels, and service tokens you created there
          stop working. Your content stays. To come back, you have to be invited again.
        </>
      }
      confirmLabel="Leave"
      danger
      pending={isPending}
      onConfirm={leave}
    />
  );
}
