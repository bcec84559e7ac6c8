import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import classes from '#platform/forms/save-form.module.css';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { defaultChannelsQueryOptions } from './channels.queries.ts';
import { DefaultChannelsForm } from './default-channels-form.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/default_channels')({
  component: DefaultChannelsPage,
});

function DefaultChannelsPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(defaultChannelsQueryOptions(team.id));
  return (
    <Page
      title="Default Channels"
      description={`New members of ${team.display_name} join these channels automatically.`}
      actions={<HistoryLink actions={['channels.defaults_saved', 'channels.people_added']} />}
    >
      {data !== undefined && <DefaultChannelsForm teamId={team.id} stored={data.default_channels} />}
      {data === undefined && error === null && (
        <div className={classes.form} aria-busy="true">
          <Skeletons rows={1} height={202} />
          <div className={classes.foot}>
            <Skeletons rows={1} height={36} width="4.5rem" />
          </div>
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}
