import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import sheet from '#platform/forms/save-form.module.css';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { ConnectionForm } from './connection-form.tsx';
import { DomainsSection } from './domains-section.tsx';
import { ssoQueryOptions } from './sso.queries.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/sso')({ component: SsoPage });

const TITLE = 'Single Sign-On';

function SsoPage() {
  const { id, display_name, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} name={display_name} /> : <AdminPage />;
}

/** Other admins can't call what the screen shows. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={['sso']} />}>
      <EmptyState icon="lock" title="Only owners can set up single sign-on">
        With single sign-on, users sign in to this team at your company’s identity provider.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId, name }: { teamId: string; name: string }) {
  const { data, error, refetch } = useQuery(ssoQueryOptions(teamId));
  return (
    <Page
      title={TITLE}
      description={`Lets users sign in to ${name} at your company’s identity provider, such as Entra, Google, Okta or Keycloak. Nothing changes for them until you switch it on.`}
      actions={<HistoryLink actions={['sso']} />}
    >
      <div className={sheet.form}>
        <DomainsSection teamId={teamId} />
      </div>
      {data !== undefined && <ConnectionForm key={data.id} teamId={teamId} stored={data} />}
      {data === undefined && error === null && (
        <div className={sheet.form} aria-busy="true">
          <Skeletons rows={3} height={168} />
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
