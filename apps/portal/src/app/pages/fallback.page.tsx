import { createFileRoute } from '@tanstack/react-router';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { useSession } from '#workspace/session/use-session.ts';
import classes from './fallback.module.css';

export const Route = createFileRoute('/_protected/_shell/$')({ component: FallbackPage });

/** Any path without a screen. */
function FallbackPage() {
  if (useSession() !== null) return <NotFoundScreen />;
  return (
    <main className={classes.alone}>
      <NotFoundScreen />
    </main>
  );
}
