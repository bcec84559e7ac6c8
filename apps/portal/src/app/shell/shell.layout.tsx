import { createFileRoute, Outlet } from '@tanstack/react-router';
import { useSession } from '#workspace/session/use-session.ts';
import { Shell } from './shell.tsx';

export const Route = createFileRoute('/_protected/_shell')({ component: ShellLayout });

function ShellLayout() {
  // Without a session only the fallback screen is shown, without the shell.
  if (useSession() === null) return <Outlet />;
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
