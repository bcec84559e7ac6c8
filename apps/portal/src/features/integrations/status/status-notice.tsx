import { Group, Paper, Stack, Text } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import type { ReactNode } from 'react';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HealthBadge } from './health-badge.tsx';
import { Warnings } from './warnings.tsx';

interface StatusNoticeProps {
  integration: Integration;
  domain: string | undefined;
  warnings: readonly string[];
}

/** The status of the connection: the last delivery, the last error, and warnings. */
export function StatusNotice({ integration, domain, warnings }: StatusNoticeProps) {
  const { name, enabled, health, last_delivery_at, last_error, last_error_at } = integration;
  if (!enabled && warnings.length === 0) return null;
  return (
    <Paper component="section" withBorder bg="var(--surface-raised)" px="md" py="sm" aria-label={`${name} status`}>
      <Stack gap="sm">
        {enabled && (
          <Group gap="12px 40px" align="flex-start" renderRoot={(props) => <dl {...props} />} m={0}>
            <Fact term={domain === undefined || domain === '' ? name : `${domain}.zendesk.com`}>
              <HealthBadge health={health} />
            </Fact>
            <Fact term="Last delivery">
              {last_delivery_at === null ? 'None yet' : <Timestamp at={last_delivery_at} />}
            </Fact>
            {last_error_at !== null && (
              <Fact term="Last error">
                <Timestamp at={last_error_at} />{' '}
                <Text span c="var(--danger)">
                  {last_error}
                </Text>
              </Fact>
            )}
          </Group>
        )}
        <Warnings warnings={warnings} />
      </Stack>
    </Paper>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <Stack gap={4} miw={0}>
      <Text component="dt" c="dimmed" size="xs">
        {term}
      </Text>
      <Text component="dd">{children}</Text>
    </Stack>
  );
}
