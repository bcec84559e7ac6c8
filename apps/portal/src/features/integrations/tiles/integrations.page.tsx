import { useQuery } from '@tanstack/react-query';
import { createFileRoute, useLocation, useNavigate } from '@tanstack/react-router';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import classes from '../integrations.module.css';
import { integrationsQueryOptions } from '../integrations.queries.ts';
import { Warnings } from '../triggers/warnings.tsx';
import { IntegrationTile } from './integration-tile.tsx';

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
        <div className={classes.waiting} aria-busy="true">
          <Skeletons rows={1} height={268} />
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <EmptyState icon="plug" title="No list found" />}
      {data !== undefined && data.records.length > 0 && (
        <ul className={classes.tiles} aria-label="Integrations">
          {data.records.map((integration) => (
            <IntegrationTile key={integration.id} integration={integration} />
          ))}
        </ul>
      )}
    </Page>
  );
}
