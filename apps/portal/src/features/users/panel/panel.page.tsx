import { createFileRoute, useRouter } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';

export const Route = createFileRoute('/_protected/_shell/users/users/$userId')({ component: PanelPage });

const UserPanel = lazyComponent(async () => (await import('./user-panel.tsx')).UserPanel);

/** Back and Escape return to the list and to the row that was left. */
function PanelPage() {
  const { userId } = Route.useParams();
  const navigate = Route.useNavigate();
  const router = useRouter();
  useEffect(() => () => focusRow(userId), [userId]);
  const close = () => {
    if (router.state.location.state.isOverList === true) router.history.back();
    else void navigate({ to: '/users/users', search: true, replace: true, resetScroll: false });
  };
  return (
    <Suspense fallback={null}>
      <UserPanel key={userId} userId={userId} onClose={close} />
    </Suspense>
  );
}

/** The focus can't leave the panel until it has disappeared. */
function focusRow(userId: string): void {
  setTimeout(() => {
    if (document.querySelector('[role="dialog"]') !== null) return;
    const row = document.querySelector<HTMLElement>(`[data-person="${CSS.escape(userId)}"]`);
    (row ?? document.getElementById('main'))?.focus({ preventScroll: true });
  });
}
