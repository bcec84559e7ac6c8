import { createFileRoute, redirect } from '@tanstack/react-router';
import { Card } from '#workspace/page/card.tsx';
import { signOut } from '#workspace/session/session.ts';

export const Route = createFileRoute('/logout')({
  beforeLoad: async ({ preload }) => {
    if (preload) return;
    const provider = await signOut();
    if (provider === undefined) throw redirect({ to: '/', replace: true });
    const notice = `You’re signed out here, but still signed in at ${provider}. On a shared computer, sign out there too.`;
    throw redirect({ to: '/login', replace: true, state: { notice } });
  },
  pendingComponent: () => <Card title="Signing out…">{null}</Card>,
});
