import { Box } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { listScimTokens } from '@steward/contract/scim';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { HealthFacts } from './health-facts.tsx';
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

/** Other admins can't call what the screen shows. */
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
