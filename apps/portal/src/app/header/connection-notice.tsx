import { Box, Group } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { type Connection, connection, subscribeToConnection } from '#platform/api/connection.ts';
import { Icon } from '#platform/page/icon.tsx';

const TEXTS: Record<Connection, string | undefined> = {
  online: undefined,
  offline: 'You’re offline. Reconnecting automatically…',
  unreachable: 'Can’t reach the server. Reconnecting automatically…',
};

/** Reports a lost connection until it is back. */
export function ConnectionNotice() {
  const text = TEXTS[useSyncExternalStore(subscribeToConnection, connection)];
  return (
    // Above dialogs too: saving in one may fail because of this. It doesn't block presses on what is below.
    <Box role="status" pos="fixed" inset="auto 16px 16px" style={{ zIndex: 500, pointerEvents: 'none' }}>
      {text !== undefined && (
        <Group
          gap={8}
          wrap="nowrap"
          w="fit-content"
          mx="auto"
          px={14}
          py={8}
          bd="1px solid var(--hairline)"
          bdrs={24}
          bg="var(--warning-soft)"
          c="var(--warning)"
          fw={500}
          style={{ boxShadow: 'var(--lift)' }}
        >
          <Icon name="offline" size={16} />
          {text}
        </Group>
      )}
    </Box>
  );
}
