import { Anchor, Stack, Text } from '@mantine/core';
import type { ExistingUser } from '@steward/contract/users';
import { Link } from '@tanstack/react-router';
import { Named } from '../user-name.tsx';

interface ExistingNoticeProps {
  users: readonly ExistingUser[];
  /** Called when a link is followed, which discards the input. */
  onOpen: () => void;
}

/** At most this many users are listed. */
const LISTED = 5;

const STATES: Record<ExistingUser['state'], string> = {
  active: 'already in the team',
  invited: 'already invited',
  deactivated: 'in the team, but deactivated',
};

/** Adding changes nothing for users who are there already. */
export function ExistingNotice({ users, onOpen }: ExistingNoticeProps) {
  const more = users.length - LISTED;
  return (
    <Stack gap={4} role="alert" px={12} py={8} bdrs={8} bg="var(--surface-hover)">
      {users.slice(0, LISTED).map((user) => (
        <Text key={user.id} fz={13}>
          <Named user={user} /> is {STATES[user.state]}.{' '}
          <Anchor
            fz="inherit"
            underline="always"
            renderRoot={(props) => (
              <Link
                {...props}
                to="/users/users/$userId"
                params={{ userId: user.id }}
                state={{ isOverList: true }}
                ignoreBlocker
                resetScroll={false}
                onClick={onOpen}
              />
            )}
          >
            Show user
          </Anchor>
        </Text>
      ))}
      <Text fz={13} c="dimmed">
        {more > 0 && `${more.toLocaleString()} more are there already. `}
        Nothing was changed.
      </Text>
    </Stack>
  );
}
