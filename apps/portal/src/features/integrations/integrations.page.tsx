import { Button, Group, Paper, SimpleGrid, Stack, Text, ThemeIcon } from '@mantine/core';
import type { Integration } from '@steward/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation, useNavigate } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { integrationsQueryOptions } from './integrations.queries.ts';
import { HealthBadge, RefusedCalls, Warnings } from './status.tsx';
import classes from './tiles.module.css';

export const Route = createFileRoute('/_protected/_shell/dashboard/integrations')({ component: IntegrationsPage });

function IntegrationsPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(integrationsQueryOptions(team.id));
  const { warnings = [] } = useLocation().state;
  const navigate = useNavigate();
  return (
    <Page title="Integrations" description={`Connect services that post messages to ${team.display_name}'s channels.`}>
      <Warnings
        warnings={warnings}
        onDismiss={() => void navigate({ to: '/dashboard/integrations', replace: true, state: {} })}
      />
      {data === undefined && error === null && (
        <Tiles>
          <Skeletons rows={1} height={196} />
          <Skeletons rows={1} height={196} />
        </Tiles>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <EmptyState icon="plug" title="No list found" />}
      {data !== undefined && data.records.length > 0 && (
        <Tiles isList>
          {data.records.map((integration) => (
            <IntegrationTile key={integration.id} integration={integration} />
          ))}
        </Tiles>
      )}
    </Page>
  );
}

function Tiles({ isList = false, children }: { isList?: boolean; children: ReactNode }) {
  return (
    <SimpleGrid
      cols={{ base: 1, md: 2 }}
      m={0}
      p={0}
      style={{ alignItems: 'start' }}
      {...(isList ? { renderRoot: (props) => <ul {...props} aria-label="Integrations" /> } : { 'aria-busy': true })}
    >
      {children}
    </SimpleGrid>
  );
}

/** The tile links to the credential form, or to the triggers once the integration is connected. */
function IntegrationTile({ integration }: { integration: Integration }) {
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

function Deliveries({ integration }: { integration: Integration }) {
  const { last_delivery_at, last_error, last_error_at } = integration;
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
      <RefusedCalls integration={integration} />
    </Stack>
  );
}
