import type { Integration } from '@steward/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import classes from '#platform/forms/save-form.module.css';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { integrationQueryOptions, integrationsQueryOptions } from './integrations.queries.ts';
import { getProvider } from './providers/registry.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/settings/$integrationId')({
  component: CredentialsPage,
});

function CredentialsPage() {
  const team = useCurrentTeam();
  const { integrationId } = Route.useParams();
  const { data, error, refetch } = useQuery(integrationsQueryOptions(team.id));
  const found = data?.records.find(({ id }) => id === integrationId);
  if (found !== undefined) return <Connecting key={found.id} teamId={team.id} integration={found} />;
  return (
    <Page title="Integration">
      {data !== undefined && <Unknown />}
      {data === undefined && error === null && <Skeletons rows={1} height={400} width="min(640px, 100%)" />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

function Unknown() {
  return (
    <EmptyState icon="plug" title="No such integration">
      This team has no integration at this address. See Integrations for the available ones.
    </EmptyState>
  );
}

/**
 * Redirects to the triggers only if the integration was already connected when the page opened, because saving this form connects it too.
 */
function Connecting({
  teamId,
  integration: { id, code, name, enabled },
}: {
  teamId: string;
  integration: Integration;
}) {
  const team = useCurrentTeam();
  const { describe, ConnectForm } = getProvider(code);
  const [wasConnected] = useState(enabled);
  const { data, isPending } = useQuery({
    ...integrationQueryOptions({ teamId, integrationId: id }),
    enabled: !wasConnected,
  });
  if (wasConnected) return <Navigate to="/dashboard/triggers" replace state={{ integrationId: id }} />;
  return (
    <Page title={`Connect ${name}`} description={describe(team.display_name)}>
      {isPending ? (
        <div className={classes.form} aria-busy="true">
          <Skeletons rows={1} height={400} />
        </div>
      ) : (
        <ConnectForm place={{ teamId, integrationId: id }} detail={data} />
      )}
    </Page>
  );
}
