import { List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import frame from '#workspace/page/card.module.css';
import { Section } from '../section.tsx';

interface SsoSectionProps {
  /** As its users call it; null if the team has another one by now. */
  provider: string | null;
  email: string;
  /** Whether the account is in other teams than the one of this session. */
  hasOtherTeams: boolean;
}

/** What a session of single sign-on can't change, in place of forms that would be refused. */
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
