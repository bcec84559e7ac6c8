import { createFileRoute, redirect } from '@tanstack/react-router';
import { signOut } from '#workspace/session.ts';
import { Card } from './card.tsx';

export const Route = createFileRoute('/logout')({
  beforeLoad: async ({ preload }) => {
    if (preload) return;
    await signOut();
    throw redirect({ to: '/', replace: true });
  },
  pendingComponent: () => <Card title="Signing out…">{null}</Card>,
});
