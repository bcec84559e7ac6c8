import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Alerts } from '#platform/feedback/alerts.tsx';

export const Route = createRootRoute({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      <Alerts />
    </>
  );
}
