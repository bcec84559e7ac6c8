import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { SsoCheck, SsoConnection } from '@steward/contract/sso/connection';
import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { testingSso } from './sso.queries.ts';

const BACK = '/dashboard/team_settings/sso';

interface TestSectionProps {
  teamId: string;
  stored: SsoConnection;
  isUnsaved: boolean;
}

/** The test checks the provider's metadata and lets the owner sign in there once. */
export function TestSection({ teamId, stored, isUnsaved }: TestSectionProps) {
  const title = useId();
  const check = useMutation(testingSso);
  const isReady = stored.client_id !== '' && stored.has_secret && !isUnsaved;
  const start = `/auth/oidc/${stored.id}/start?return=${encodeURIComponent(BACK)}`;
  return (
    <section className={sheet.fields} aria-labelledby={title}>
      <div>
        <Title order={2} id={title} fz="1rem">
          3. Test
        </Title>
        <Text c="dimmed" size="sm" mt={4}>
          The check reads the provider’s configuration. The test sign-in takes you to the provider and back, and links
          your own account; you stay signed in here.
        </Text>
      </div>
      <Group gap="sm">
        <Button
          variant="default"
          disabled={isUnsaved}
          loading={check.isPending}
          onClick={() => check.mutate({ params: { teamId } })}
        >
          Check configuration
        </Button>
        {!stored.enabled &&
          (isReady ? (
            <Button component="a" href={start}>
              Test sign-in
            </Button>
          ) : (
            <Button disabled>Test sign-in</Button>
          ))}
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {isUnsaved && 'Save your changes first.'}
        {!isUnsaved && !isReady && 'Enter the client ID and secret and save before you test.'}
        {isReady && stored.tested_at === null && 'Not tested with these settings yet.'}
        {isReady && stored.tested_at !== null && (
          <>
            Tested successfully <Timestamp at={stored.tested_at} />
          </>
        )}
      </Text>
      {check.error !== null && (
        <Text c="var(--mantine-color-error)" size="sm" role="alert">
          {check.error.message}
        </Text>
      )}
      {check.data !== undefined && <Checks checks={check.data.checks} />}
    </section>
  );
}

function Checks({ checks }: { checks: readonly SsoCheck[] }) {
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label="Results of the check">
      {checks.map(({ name, ok, message }) => (
        <Group component="li" key={name} gap="sm" wrap="nowrap" align="flex-start">
          <StateBadge tone={ok ? 'success' : 'danger'} word={ok ? 'OK' : 'Problem'} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <strong>{name}:</strong> {message}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
