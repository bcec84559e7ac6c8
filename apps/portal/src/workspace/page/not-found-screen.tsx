import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { useTitle } from '#platform/page/page.tsx';
import { useSession } from '#workspace/session/use-session.ts';

/** What an address without a screen shows (spec §2). */
export function NotFoundScreen() {
  const isSignedIn = useSession() !== null;
  useTitle('No screen here');
  return (
    <EmptyState
      title="There is no screen here"
      icon="search"
      isWholeScreen
      action={
        <Button component={Link} to={isSignedIn ? '/users/users' : '/login'} variant="default">
          {isSignedIn ? 'Go to Manage Users' : 'Go to sign in'}
        </Button>
      }
    >
      The address may be mistyped, or its screen is not part of this portal yet.
    </EmptyState>
  );
}
