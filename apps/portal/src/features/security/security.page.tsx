import { getSecurityPolicy } from '@steward/contract/security';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { queryOptionsFor } from '#platform/api/queries.ts';
import classes from '#platform/forms/save-form.module.css';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { SecurityForm } from './security-form.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/security')({
  component: SecurityPage,
});

const TITLE = 'Sign-in Security';

function SecurityPage() {
  const { id, display_name, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} name={display_name} /> : <AdminPage />;
}

/** Other admins can't call what the screen shows. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={['security']} />}>
      <EmptyState icon="lock" title="Only owners can change sign-in security">
        Owners decide who needs a second factor, how long sessions last, and which networks the team can be opened from.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId, name }: { teamId: string; name: string }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(getSecurityPolicy, { params: { teamId } }));
  return (
    <Page
      title={TITLE}
      description={`What people need to open ${name}. Changes apply immediately, also to users who are signed in.`}
      actions={<HistoryLink actions={['security']} />}
    >
      {data !== undefined && <SecurityForm teamId={teamId} stored={data} />}
      {data === undefined && error === null && (
        <div className={classes.form} aria-busy="true">
          <Skeletons rows={3} height={168} />
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
