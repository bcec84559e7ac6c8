import { createFileRoute } from '@tanstack/react-router';
import { CenteredMain } from '#platform/page/page.tsx';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { useSession } from '#workspace/session/session-state.ts';

export const Route = createFileRoute('/_protected/_shell/$')({ component: FallbackPage });

function FallbackPage() {
  if (useSession() !== null) return <NotFoundScreen />;
  return (
    <CenteredMain>
      <NotFoundScreen />
    </CenteredMain>
  );
}
