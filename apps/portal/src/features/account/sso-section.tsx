import { List, Text } from '@mantine/core';
import type { OwnLink } from '@steward/contract/sso/identities';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { showFailure } from '#platform/feedback/alerts.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import frame from '#workspace/page/card.module.css';
import classes from './account.module.css';
import { ownLinksQueryOptions, useLinkOwnAccount } from './account.queries.ts';
import { ListRow, Loaded, Section } from './section.tsx';

interface SsoSectionProps {
  /** The provider's display name; null if the team has since changed its provider. */
  provider: string | null;
  email: string;
  /** True if the account is in teams other than the one of this session. */
  hasOtherTeams: boolean;
}

/** These notes replace forms that the server would refuse in a single sign-on session. */
export function SsoSection({ provider, email, hasOtherTeams }: SsoSectionProps) {
  return (
    <Section
      title={provider === null ? 'Signed in with single sign-on' : `Signed in with ${provider}`}
      description={
        <>
          You signed in as <bdi>{email}</bdi> through your company.{' '}
          {hasOtherTeams
            ? 'Your account is also in other teams, so nothing about it can be changed from here:'
            : 'This session is for one team, so these parts of your account can’t be changed from here:'}
        </>
      }
    >
      <List spacing={4}>
        {hasOtherTeams && <List.Item>Name and picture, sessions, teams and invitations</List.Item>}
        <List.Item>Email address</List.Item>
        <List.Item>Password</List.Item>
        <List.Item>Two-factor authentication</List.Item>
        <List.Item>Export of your data</List.Item>
      </List>
      <Text mt="md">
        To change them,{' '}
        <Link to="/logout" className={frame.link}>
          sign out
        </Link>{' '}
        and sign in with your password. If you don’t have one, choose Forgot Password there to set one.
      </Text>
    </Section>
  );
}

/** Owners and admins can't be linked by their address alone. Most users have no such team, so no skeleton is shown while the list loads. */
export function SsoLinksSection() {
  const { data, error, isFetching, refetch } = useQuery(ownLinksQueryOptions);
  if (data === undefined ? error === null : data.records.length === 0) return null;
  return (
    <Section
      title="Single sign-on"
      description="Linking takes you to your company’s sign-in page. You are then signed in for that team only."
    >
      <Loaded data={data} error={error} isFetching={isFetching} refetch={refetch}>
        {({ records }) => (
          <ul className={classes.list}>
            {records.map((link) => (
              <LinkRow key={link.team_id} link={link} />
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

function LinkRow({ link }: { link: OwnLink }) {
  const { mutate, isPending, isSuccess } = useLinkOwnAccount();
  const begin = () =>
    mutate(
      { params: { teamId: link.team_id } },
      {
        onSuccess: ({ sso_url }) => window.location.assign(sso_url),
        onError: showFailure,
      },
    );
  return (
    <ListRow title={<bdi>{link.provider}</bdi>} text={<bdi>{link.team_name}</bdi>}>
      {link.is_linked ? (
        <Text c="dimmed">Linked</Text>
      ) : (
        <RowButton
          aria-label={`Link ${link.provider} of ${link.team_name}`}
          // The browser is already navigating to the provider.
          loading={isPending || isSuccess}
          onClick={begin}
        >
          Link
        </RowButton>
      )}
    </ListRow>
  );
}
