import { Box, Group, List, Loader, Paper, Stack } from '@mantine/core';
import type { KindRetention } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { Page, PageError } from '#platform/page/page.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { Forecast } from '../foresight/forecast.tsx';
import { RecoverySection } from '../recovery/recovery-section.tsx';
import { TableSkeleton } from '../responsive-table.tsx';
import { overviewQueryOptions, storedQueryOptions, useRefreshAfterRun } from '../retention.queries.ts';
import { RunHistory } from '../runs/run-history.tsx';
import { RunNow } from '../runs/run-now.tsx';
import { Quiet } from '../runs/run-result.tsx';
import { TeamTimestamp } from '../team-timestamp.tsx';
import { HoldsSection } from './holds-section.tsx';
import { OverviewTable } from './overview-table.tsx';

// Folders of this room: overview and rules import runs, foresight, holds and recovery; these import runs; all import the files beside them, and never the
// reverse.
export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/retention')({
  component: OverviewPage,
});

/** All rules of the team, and the history of runs. */
function OverviewPage() {
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useQuery(overviewQueryOptions(teamId));
  const stored = useQuery(storedQueryOptions(teamId));
  useRefreshAfterRun(data?.kinds.map(({ running }) => running));
  return (
    <Page
      title="Retention"
      description="Retention rules for this team, and what each run has deleted."
      actions={
        <>
          <HistoryLink actions={['retention']} />
          <RunNow teamId={teamId} overview={data} stored={stored} />
        </>
      }
    >
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <TableSkeleton rows={RETENTION_KINDS.length} />}
      {data !== undefined && (
        <Stack component="section" gap="sm" miw={0} aria-label="Rules">
          <Running kinds={data.kinds} />
          <OverviewTable overview={data} stored={stored} />
          <Quiet>
            The next nightly run is on <TeamTimestamp at={data.next_run_at} teamZone={data.time_zone} />. Days start at
            midnight in {data.time_zone}.
          </Quiet>
        </Stack>
      )}
      <Forecast teamId={teamId} />
      <RecoverySection teamId={teamId} zone={data?.time_zone} />
      <HoldsSection teamId={teamId} />
      <RunHistory teamId={teamId} zone={data?.time_zone} />
    </Page>
  );
}

/** Progress of what is running. Always in the document, so that screen readers announce what appears in it. */
function Running({ kinds }: { kinds: readonly KindRetention[] }) {
  const runs = kinds.flatMap(({ running }) => (running === null ? [] : [running]));
  return (
    <Box role="status" mb={runs.length === 0 ? -12 : 0}>
      {runs.length > 0 && (
        <Paper withBorder px="md" py="sm" bg="var(--surface-quiet)">
          <Group gap="xs" fw={500} wrap="nowrap">
            <Loader size={16} aria-hidden="true" /> Retention is running in the background. You can leave this page.
          </Group>
          <List listStyleType="none" mt={8} fz="0.8125rem">
            {runs.map(({ id, kind, scanned, deleted, bytes }) => (
              <List.Item key={id}>
                {KIND_TEXT[kind].title}: {formatNumber(scanned)} checked, {formatNumber(deleted)} deleted (
                {formatBytes(bytes)})
              </List.Item>
            ))}
          </List>
        </Paper>
      )}
    </Box>
  );
}
