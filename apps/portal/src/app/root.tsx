import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Alerts } from '#platform/ui/alerts.tsx';

export const Route = createRootRoute({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      <Alerts />
    </>
  );
}
