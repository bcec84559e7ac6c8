import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { useSession } from '#workspace/session/session-state.ts';

export function NotFoundScreen() {
  const isSignedIn = useSession() !== null;
  useTitle('Page not found');
  return (
    <EmptyState
      title="Page not found"
      icon="search"
      isWholeScreen
      action={
        <Button component={Link} to={isSignedIn ? '/users/users' : '/login'} variant="default">
          {isSignedIn ? 'Go to Manage Users' : 'Go to sign in'}
        </Button>
      }
    >
      Check the address, or choose a screen from the menu.
    </EmptyState>
  );
}
