import { Box, Group, Text } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { listScimTokens, ScimHealth } from '@steward/contract/scim';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { LogSection } from './log-section.tsx';
import { provisioningQueryOptions } from './provisioning.queries.ts';
import { TokensSection } from './tokens-section.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/provisioning')({
  component: ProvisioningPage,
});

const TITLE = 'Provisioning';
const ACTIONS = ['scim'] as const;

function ProvisioningPage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={ACTIONS} />}>
      <EmptyState icon="swap" title="Only owners can set up provisioning">
        With provisioning, an identity provider such as Okta or Microsoft Entra ID adds, changes and deactivates users.
        An owner of the team can set it up here.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(provisioningQueryOptions(teamId));
  return (
    <Page
      title={TITLE}
      description="Let an identity provider such as Okta or Microsoft Entra ID manage the users of the team."
      actions={<HistoryLink actions={ACTIONS} />}
    >
      {data === undefined && error === null && <Skeletons rows={4} height={64} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Provisioning teamId={teamId} data={data} />}
    </Page>
  );
}

function Provisioning({ teamId, data }: { teamId: string; data: Answer<typeof listScimTokens> }) {
  const { records, base_url, health } = data;
  return (
    <>
      {records.length > 0 && <HealthFacts health={health} />}
      <Box maw={640} w="100%" mb={-16}>
        <CopyField label="Base URL" value={base_url} showsLabel />
      </Box>
      <TokensSection teamId={teamId} tokens={records} />
      {(records.length > 0 || health.changes + health.failures > 0) && <LogSection teamId={teamId} />}
    </>
  );
}

function HealthFacts({ health }: { health: ScimHealth }) {
  const { last_call_at, changes, failures, users, groups } = health;
  return (
    <Group component="section" aria-label="State of provisioning" gap="8px 32px" align="start">
      <Fact label="State">
        <StateBadge {...getState(health)} />
      </Fact>
      <Fact label="Last call">{last_call_at === 0 ? 'None yet' : <Timestamp at={last_call_at} />}</Fact>
      <Fact label="Changes, 24 hours">{formatNumber(changes)}</Fact>
      <Fact label="Refused, 24 hours">{formatNumber(failures)}</Fact>
      <Fact label="Users managed">{formatNumber(users)}</Fact>
      <Fact label="Groups">{formatNumber(groups)}</Fact>
    </Group>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {label}
      </Text>
      <Text component="div">{children}</Text>
    </div>
  );
}

/** After a day without a call, the provider has probably stopped: Microsoft Entra ID calls every 40 minutes. */
const SILENT_MS = 24 * 3_600_000;

function getState({ last_call_at, failures }: ScimHealth): { word: string; tone: Tone } {
  if (last_call_at === 0) return { word: 'Waiting for the first call', tone: 'quiet' };
  if (failures > 0) return { word: 'Some calls were refused', tone: 'warning' };
  if (last_call_at < Date.now() - SILENT_MS) return { word: 'No call for a day', tone: 'quiet' };
  return { word: 'Working', tone: 'success' };
}
