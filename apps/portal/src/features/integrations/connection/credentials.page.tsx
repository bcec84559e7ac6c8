import type { Integration, IntegrationDetail } from '@steward/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Navigate } from '@tanstack/react-router';
import { useState } from 'react';
import classes from '#platform/forms/save-form.module.css';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import type { Place } from '../integrations.queries.ts';
import { integrationQueryOptions, integrationsQueryOptions } from '../integrations.queries.ts';
import { CredentialsForm } from './credentials-form.tsx';
import { WebhookForm } from './webhook-form.tsx';

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
      This team has no integration with this address. All that it can have are listed under Integrations.
    </EmptyState>
  );
}

/** A connected one has its own screen (spec §2); it is decided once, since saving here connects it. */
function Connecting({
  teamId,
  integration: { id, code, name, enabled },
}: {
  teamId: string;
  integration: Integration;
}) {
  const team = useCurrentTeam();
  const [wasConnected] = useState(enabled);
  const { data, isPending } = useQuery({
    ...integrationQueryOptions({ teamId, integrationId: id }),
    enabled: !wasConnected,
  });
  if (wasConnected) return <Navigate to="/dashboard/triggers" replace state={{ integrationId: id }} />;
  return (
    <Page
      title={`Connect ${name}`}
      description={
        code === 'webhook'
          ? `Post messages to ${team.display_name} from any service that sends JSON.`
          : `Sign in as an administrator of your help desk. Then choose which tickets become messages in ${team.display_name}.`
      }
    >
      {isPending ? (
        <div className={classes.form} aria-busy="true">
          <Skeletons rows={1} height={400} />
        </div>
      ) : (
        <ProviderForm place={{ teamId, integrationId: id }} detail={data} />
      )}
    </Page>
  );
}

/** Without events there is no account to sign in to: the service is set up by hand. */
function ProviderForm({ place, detail }: { place: Place; detail: IntegrationDetail | undefined }) {
  if (detail?.has_events === false) return <WebhookForm place={place} detail={detail} />;
  return <CredentialsForm {...place} stored={detail} />;
}
