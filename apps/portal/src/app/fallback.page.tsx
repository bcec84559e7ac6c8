import { Button } from '@mantine/core';
import { createFileRoute, Link } from '@tanstack/react-router';
import { EmptyState, useTitle } from '#platform/ui/page.tsx';
import { useSession } from '#workspace/signed-in.ts';
import classes from './fallback.module.css';

export const Route = createFileRoute('/_protected/_shell/$')({ component: FallbackPage });

/** Any path without a screen (spec §2). */
function FallbackPage() {
  const isSignedIn = useSession() !== null;
  useTitle('No screen here');
  const content = (
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
  return isSignedIn ? content : <main className={classes.alone}>{content}</main>;
}
