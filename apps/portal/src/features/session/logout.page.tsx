import { createFileRoute, redirect } from '@tanstack/react-router';
import { Card } from '#workspace/page/card.tsx';
import { signOut } from '#workspace/session/session.ts';

export const Route = createFileRoute('/logout')({
  beforeLoad: async ({ preload }) => {
    if (preload) return;
    await signOut();
    throw redirect({ to: '/', replace: true });
  },
  pendingComponent: () => <Card title="Signing out…">{null}</Card>,
});
