import { createFileRoute, Outlet } from '@tanstack/react-router';
import { useSession } from '#workspace/session/use-session.ts';
import { Shell } from './shell.tsx';

export const Route = createFileRoute('/_protected/_shell')({ component: ShellLayout });

function ShellLayout() {
  // Only the fallback screen is shown to somebody who is not signed in, and it stands alone.
  if (useSession() === null) return <Outlet />;
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
