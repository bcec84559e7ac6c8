import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useOpenAfterMount } from '#platform/dialogs/open-after-mount.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { fullName } from '#workspace/people/initials.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { userQueryOptions } from './panel.queries.ts';
import { PersonDetails } from './person-details.tsx';

interface PersonPanelProps {
  userId: string;
  onClose: () => void;
}

const DURATION_MS = 120;

/** The panel of a user, over the list. */
export function PersonPanel({ userId, onClose }: PersonPanelProps) {
  const { id: teamId } = useCurrentTeam();
  const holder = { teamId, userId };
  const { data, error, refetch } = useQuery(userQueryOptions(holder));
  const [isClosing, setClosing] = useState(false);
  const name = data === undefined ? 'User' : fullName(data);
  const close = () => {
    // Escape in a dialog above closes that dialog alone.
    if (document.querySelectorAll('[role="dialog"]').length <= 1) setClosing(true);
  };
  useTitle(`${name} · Manage Users`);
  return (
    <Drawer.Root
      opened={useOpenAfterMount(!isClosing)}
      onClose={close}
      onExitTransitionEnd={onClose}
      position="right"
      size={480}
      padding={0}
      returnFocus={false}
      transitionProps={{ duration: DURATION_MS }}
    >
      <Drawer.Overlay backgroundOpacity={0.3} />
      <Drawer.Content bg="var(--surface-raised)" aria-label={name} data-panel>
        <Drawer.Body p={0}>
          {data !== undefined && error === null ? (
            <PersonDetails holder={holder} person={data} />
          ) : (
            <Waiting isUnknown={error?.id === 'record.not_found'} failure={error} onRetry={() => void refetch()} />
          )}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

interface WaitingProps {
  isUnknown: boolean;
  failure: unknown;
  onRetry: () => void;
}

function Waiting({ isUnknown, failure, onRetry }: WaitingProps) {
  return (
    <div style={{ padding: 24 }}>
      <Drawer.CloseButton aria-label="Close panel" size={36} style={{ marginInlineStart: 'auto' }} />
      {isUnknown ? (
        <EmptyState icon="people" title="User not found">
          This user isn't in the team, or no longer.
        </EmptyState>
      ) : failure !== null ? (
        <PageError failure={failure} onRetry={onRetry} />
      ) : (
        <Skeletons rows={6} height={40} />
      )}
    </div>
  );
}
