import { createFileRoute } from '@tanstack/react-router';
import { NoScreen } from '#workspace/page/no-screen.tsx';
import { useSession } from '#workspace/session/signed-in.ts';
import classes from './fallback.module.css';

export const Route = createFileRoute('/_protected/_shell/$')({ component: FallbackPage });

/** Any path without a screen (spec §2). */
function FallbackPage() {
  if (useSession() !== null) return <NoScreen />;
  return (
    <main className={classes.alone}>
      <NoScreen />
    </main>
  );
}
