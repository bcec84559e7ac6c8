import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { getStored, overviewQueryOptions } from '../retention.queries.ts';
import { RunHistory } from '../runs/run-history.tsx';
import { RunNow } from '../runs/run-now.tsx';
import { RunningNotice } from '../runs/running-notice.tsx';
import { useRunEnd } from '../runs/use-run-end.ts';
import classes from './overview.module.css';
import { OverviewTable } from './overview-table.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/retention')({
  component: OverviewPage,
});

/** All rules at a glance, what they do, and the runs that did it (design §6). */
function OverviewPage() {
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useQuery(overviewQueryOptions(teamId));
  const stored = useQuery(getStored(teamId));
  useRunEnd(data?.kinds.map(({ running }) => running));
  return (
    <Page
      title="Retention"
      description="How long everything in this team is kept, what is deleted every night, and what was."
      actions={<RunNow teamId={teamId} overview={data} stored={stored} />}
    >
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeletons rows={12} height={52} />}
      {data !== undefined && (
        <section className={classes.section} aria-label="Rules">
          <RunningNotice kinds={data.kinds} />
          <OverviewTable overview={data} stored={stored} />
          <p className={classes.note}>
            The next nightly run is on <Timestamp at={data.next_run_at} />. Days begin at midnight in {data.time_zone}.
          </p>
        </section>
      )}
      <RunHistory teamId={teamId} />
    </Page>
  );
}
