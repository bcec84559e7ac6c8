import { Button, Group } from '@mantine/core';
import type { Session } from '@steward/contract/users/sessions';
import { useMutation, useQuery } from '@tanstack/react-query';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { TimeAgo } from '#platform/time/timestamp.tsx';
import classes from './account.module.css';
import { endingOtherSessions, endingSession, ownSessionsQueryOptions } from './account.queries.ts';
import { ListRow, Loaded, Section } from './section.tsx';

export function SessionsSection() {
  const sessions = useQuery(ownSessionsQueryOptions);
  return (
    <Section title="Sessions" description="Sign out of any device you don't recognize, and change your password then.">
      <Loaded {...sessions}>{({ records }) => <SessionList records={records} />}</Loaded>
    </Section>
  );
}

function SessionList({ records }: { records: readonly Session[] }) {
  const end = useMutation(endingSession);
  const endOthers = useMutation(endingOtherSessions);
  const isBusy = end.isPending || endOthers.isPending;
  return (
    <>
      <ul className={classes.list}>
        {records.map((session) => (
          <ListRow
            key={session.id}
            title={session.device}
            text={
              <>
                {session.address} · active <TimeAgo at={session.last_seen_at} />
              </>
            }
          >
            {session.is_current ? (
              <StateBadge tone="active" word="This device" />
            ) : (
              <RowButton
                disabled={isBusy}
                aria-label={`Sign out ${session.device}, ${session.address}`}
                onClick={() => end.mutate({ params: { sessionId: session.id } }, { onError: showFailure })}
              >
                Sign out
              </RowButton>
            )}
          </ListRow>
        ))}
      </ul>
      {records.length > 1 && (
        <Group mt="md">
          <Button
            variant="default"
            loading={endOthers.isPending}
            disabled={end.isPending}
            onClick={() =>
              endOthers.mutate(
                {},
                {
                  onError: showFailure,
                  onSuccess: () => showSuccess('Signed out of all other devices'),
                },
              )
            }
          >
            Sign out all other devices
          </Button>
        </Group>
      )}
    </>
  );
}
