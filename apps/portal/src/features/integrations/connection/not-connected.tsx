import { Button } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#platform/page/empty-state.tsx';

/** Without a connection there is nothing to set up. */
export function NotConnected({ integration: { id, name } }: { integration: Integration }) {
  return (
    <EmptyState
      icon="plug"
      title={`${name} is not connected`}
      action={
        <Button component={Link} to={`/dashboard/settings/${id}`}>
          Connect {name}
        </Button>
      }
    >
      Connect it first. Then choose here which tickets become messages.
    </EmptyState>
  );
}
