// Everyone with a session may open their account: users who manage no team can't enter the portal's shell.

import { Box, Group, Stack } from '@mantine/core';
import type { User } from '@steward/contract/users';
import { isAdminOfTeam } from '@steward/contract/users/roles';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, Navigate, redirect } from '@tanstack/react-router';
import { Logo } from '#platform/page/logo.tsx';
import { CenteredMain, PageError, Skeletons } from '#platform/page/page.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { isSsoOn, productName } from '#platform/product/product.ts';
import frame from '#workspace/page/card.module.css';
import { canSignInWithCookie, signInWithCookie } from '#workspace/session/session.ts';
import { currentSession } from '#workspace/session/session-state.ts';
import { meQueryOptions } from './account.queries.ts';
import { DataSection } from './data-section.tsx';
import { EmailSection } from './email-section.tsx';
import { EmailsSection } from './emails-section.tsx';
import { factorsQueryOptions } from './factors/factors.queries.ts';
import { FactorsSection } from './factors/factors-section.tsx';
import { InvitationsSection } from './invitations-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { SsoLinksSection, SsoSection } from './sso-section.tsx';
import { TeamsSection } from './teams-section.tsx';

export const Route = createFileRoute('/account')({
  beforeLoad: async () => {
    if (!canSignInWithCookie()) throw redirect({ to: '/login', replace: true, state: { from: '/account' } });
    // The session decides if the page links back to the portal. The page itself shows a refusal.
    if (currentSession() === null) await signInWithCookie().catch(() => undefined);
  },
  component: AccountPage,
});

function AccountPage() {
  useTitle('My account');
  const { data: user, error, refetch } = useQuery(meQueryOptions);
  // The sections request both; prefetching here loads them in parallel.
  usePrefetchQuery(factorsQueryOptions);
  if (error?.status_code === 401)
    return (
      <Navigate to="/login" replace state={{ from: '/account', error: 'Your session has ended. Sign in again.' }} />
    );
  if (user === undefined && error !== null)
    return (
      <CenteredMain>
        <PageError failure={error} isWholeScreen onRetry={() => void refetch()} />
      </CenteredMain>
    );
  return (
    <Box component="main" mih="100dvh" px={16} pt={24} pb={64} bg="var(--surface-quiet)">
      <Stack gap={24} w="100%" maw={720} mx="auto">
        <Bar />
        <h1 className={frame.title} style={{ margin: 0 }}>
          My account
        </h1>
        {user === undefined ? <Skeletons rows={4} height={96} /> : <Sections user={user} />}
      </Stack>
    </Box>
  );
}

/** A session from single sign-on can't change every part of the account. */
function Sections({ user }: { user: User }) {
  const factors = useQuery(factorsQueryOptions);
  const isSso = factors.data !== undefined && factors.data.reauth_url !== null;
  if (factors.isPending) return <Skeletons rows={4} height={96} />;
  const hasOtherTeams = isSso && !factors.data.covers_account;
  const ssoSection = isSso && (
    <SsoSection provider={factors.data.reauth_provider} email={user.email} hasOtherTeams={hasOtherTeams} />
  );
  if (hasOtherTeams) return ssoSection;
  return (
    <>
      <InvitationsSection />
      {ssoSection}
      <ProfileSection user={user} />
      {!isSso && <EmailSection email={user.email} />}
      {!isSso && <PasswordSection email={user.email} />}
      {!isSso && <FactorsSection />}
      {!isSso && isSsoOn() && <SsoLinksSection />}
      <SessionsSection />
      {isAdminOfTeam(user.roles) && <EmailsSection />}
      <TeamsSection userId={user.id} />
      {!isSso && <DataSection />}
    </>
  );
}

function Bar() {
  return (
    <Group renderRoot={(props) => <header {...props} />} justify="space-between" gap="8px 16px">
      <Group gap={10} wrap="nowrap" fw={600} lts="-0.01em">
        <Logo size={28} />
        <span>{productName()}</span>
      </Group>
      <nav aria-label="Account" className={frame.row}>
        {currentSession() !== null && (
          <Link to="/users/users" className={frame.link}>
            Back to the admin portal
          </Link>
        )}
        <Link to="/logout" className={frame.link}>
          Sign out
        </Link>
      </nav>
    </Group>
  );
}
