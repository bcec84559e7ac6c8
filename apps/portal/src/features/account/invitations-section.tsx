import { Button, Group } from '@mantine/core';
import type { OwnInvitation } from '@steward/contract/account/memberships';
import { useQuery } from '@tanstack/react-query';
import { TimeAgo } from '#platform/time/timestamp.tsx';
import classes from './account.module.css';
import { invitationsQueryOptions, useAnswerInvitation } from './account.queries.ts';
import { ListRow, Section } from './section.tsx';

/** The section is hidden when there are no invitations. */
export function InvitationsSection() {
  const { data } = useQuery(invitationsQueryOptions);
  if (data === undefined || data.records.length === 0) return null;
  return (
    <Section
      title="Invitations"
      description="If you accept, admins of the team can see where you are signed in, sign you out, and send you a password reset. You can leave the team at any time."
    >
      <ul className={classes.list}>
        {data.records.map((invitation) => (
          <Invitation key={invitation.team_id} invitation={invitation} />
        ))}
      </ul>
    </Section>
  );
}

function Invitation({ invitation }: { invitation: OwnInvitation }) {
  const { team_id, team_name, invited_by, invited_at, account_type } = invitation;
  const { mutate, isPending, variables } = useAnswerInvitation(invitation);
  const answer = (accept: boolean) => mutate({ params: { teamId: team_id }, body: { accept } });
  const isSending = (accept: boolean) => isPending && variables.body.accept === accept;
  return (
    <ListRow
      title={<bdi>{team_name}</bdi>}
      text={
        <>
          {invited_by === '' ? (
            'Invited'
          ) : (
            <>
              Invited by <bdi>{invited_by}</bdi>
            </>
          )}{' '}
          <TimeAgo at={invited_at} /> as {account_type === 1 ? 'Team Admin' : 'Team User'}
        </>
      }
    >
      <Group gap={8}>
        <Button
          variant="default"
          aria-label={`Decline the invitation to ${team_name}`}
          loading={isSending(false)}
          disabled={isPending}
          onClick={() => answer(false)}
        >
          Decline
        </Button>
        <Button
          aria-label={`Accept the invitation to ${team_name}`}
          loading={isSending(true)}
          disabled={isPending}
          onClick={() => answer(true)}
        >
          Accept
        </Button>
      </Group>
    </ListRow>
  );
}
