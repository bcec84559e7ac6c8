import { Button, Group, Paper, Stack, Text, ThemeIcon } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import { Link } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HealthBadge } from '../status/health-badge.tsx';
import { Warnings } from '../status/warnings.tsx';
import classes from './tiles.module.css';

/** An integration: it links to its credential form, or to its triggers once it is connected. */
export function IntegrationTile({ integration }: { integration: Integration }) {
  const { id, code, name, enabled, health, warnings } = integration;
  const state = useId();
  const destination = enabled
    ? ({ to: '/dashboard/triggers', state: { integrationId: id } } as const)
    : ({ to: '/dashboard/settings/$integrationId', params: { integrationId: id } } as const);
  return (
    <Paper component="li" withBorder bg="var(--surface-raised)" p={20} className={classes.tile ?? ''}>
      <Stack gap="md" h="100%">
        <Group gap="8px 12px">
          <ThemeIcon variant="light" color="gray" size={36}>
            <Icon name="plug" size={20} />
          </ThemeIcon>
          <Text component="h2" size="lg" fw={600} flex={1} miw={0}>
            <Link {...destination} className={classes.link} aria-describedby={state}>
              {name}
            </Link>
          </Text>
          <span id={state}>
            <HealthBadge health={health} />
          </span>
        </Group>
        <Warnings warnings={warnings} />
        {enabled && <Deliveries integration={integration} />}
        <Button
          component="span"
          variant="default"
          mt="auto"
          style={{ alignSelf: 'flex-start' }}
          aria-hidden="true"
          rightSection={<ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" />}
        >
          {enabled ? 'Triggers and deliveries' : 'Connect'}
        </Button>
        <Text c="dimmed" size="xs">
          Code: {code} · Enabled: {enabled ? 'Yes' : 'No'} · ID:&nbsp;{id}
        </Text>
      </Stack>
    </Paper>
  );
}

function Deliveries({ integration: { last_delivery_at, last_error, last_error_at } }: { integration: Integration }) {
  const isRecent = last_error_at !== null && last_error_at >= (last_delivery_at ?? 0);
  return (
    <Stack gap={4}>
      <Text>
        <Text span c="dimmed">
          Last delivery:
        </Text>{' '}
        {last_delivery_at === null ? 'None yet' : <Timestamp at={last_delivery_at} />}
      </Text>
      {last_error !== '' && (
        <Text {...(isRecent && { c: 'var(--danger)' })}>
          <Text span c="dimmed">
            Last error:
          </Text>{' '}
          {last_error}{' '}
          {last_error_at !== null && (
            <Text span c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              <Timestamp at={last_error_at} />
            </Text>
          )}
        </Text>
      )}
    </Stack>
  );
}
