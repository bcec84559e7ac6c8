import { createRootRoute, Outlet } from '@tanstack/react-router';
import { Alerts } from '#platform/feedback/alerts.tsx';
import { StepUp } from '#workspace/session/step-up/step-up.tsx';

export const Route = createRootRoute({ component: Root });

function Root() {
  return (
    <>
      <Outlet />
      <StepUp />
      <Alerts />
    </>
  );
}
