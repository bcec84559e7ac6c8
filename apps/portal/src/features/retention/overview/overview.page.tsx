import { Anchor, Box, Group, List, Loader, Paper, Stack, Title } from '@mantine/core';
import type { KindRetention } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { RETENTION_KINDS } from '@steward/contract/retention/fields';
import type { Hold } from '@steward/contract/retention/holds';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useId } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Quiet, TeamTimestamp } from '#platform/page/facts.tsx';
import { Page, PageError } from '#platform/page/page.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { ResponsiveTable, TableSkeleton } from '#platform/tables/responsive-table.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { holdsQueryOptions } from '#workspace/holds/holds.queries.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { Forecast } from '../foresight/forecast.tsx';
import { Held, Scope } from '../holds/hold-columns.tsx';
import { describeScope } from '../holds/hold-text.ts';
import { RecoverySection } from '../recovery/recovery-section.tsx';
import { overviewQueryOptions, storedQueryOptions, useRefreshAfterRun } from '../retention.queries.ts';
import { RunHistory } from '../runs/run-history.tsx';
import { RunNow } from '../runs/run-now.tsx';
import { OverviewTable } from './overview-table.tsx';

// Imports go one way: overview and rules import runs, foresight, holds and recovery; these import runs; all import the
// files in this folder.
export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/retention')({
  component: OverviewPage,
});

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

/** This is always in the document, so that screen readers announce its changes. */
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

const SHOWN = 5;

function HoldsSection({ teamId }: { teamId: string }) {
  const { data, error } = useQuery(holdsQueryOptions(teamId));
  const title = useId();
  const active = data?.records.filter(({ released_at }) => released_at === null) ?? [];
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={title}>
      <Group justify="space-between" gap="sm">
        <Title order={2} id={title} fz="1rem">
          Legal holds
        </Title>
        <Anchor
          inherit
          fz="0.8125rem"
          py={4}
          renderRoot={(props) => <Link to="/dashboard/team_settings/holds" {...props} />}
        >
          {active.length > SHOWN ? `View all ${active.length} holds` : 'Manage legal holds'}
        </Anchor>
      </Group>
      {active.length > 0 ? (
        <ResponsiveTable
          label="Legal holds in effect"
          columns={COLUMNS}
          rows={active.slice(0, SHOWN)}
          rowId={({ id }) => id}
          summary={(hold) => <Summary hold={hold} />}
        />
      ) : (
        <Quiet>{describeNone(data === undefined, error)}</Quiet>
      )}
    </Stack>
  );
}

function describeNone(isLoading: boolean, error: Parameters<typeof getFailureMessage>[0] | null): string {
  if (error !== null) return `Couldn't load the legal holds: ${getFailureMessage(error)}`;
  return isLoading ? 'Loading…' : 'No holds: rules delete everything that they cover.';
}

const COLUMNS: readonly PlainColumn<Hold>[] = [
  { id: 'name', header: 'Hold', width: 'minmax(0, 2fr)', cell: ({ name }) => <bdi>{name}</bdi> },
  { id: 'covers', header: 'Covers', width: 'minmax(0, 3fr)', cell: (hold) => <Scope hold={hold} /> },
  { id: 'held', header: 'Held', width: 'minmax(0, 1.2fr)', cell: ({ held }) => <Held held={held} /> },
  { id: 'since', header: 'Since', width: 'minmax(0, 2fr)', cell: ({ created_at }) => <Timestamp at={created_at} /> },
  {
    id: 'by',
    header: 'By',
    width: 'minmax(0, 1.6fr)',
    cell: ({ created_by_name, automatic }) => (automatic ? 'Restored content' : <bdi>{created_by_name}</bdi>),
  },
];

function Summary({ hold }: { hold: Hold }) {
  return (
    <Stack gap={0} miw={0}>
      <bdi>{hold.name}</bdi>
      <Quiet>
        <bdi>{describeScope(hold).join(' · ')}</bdi>
      </Quiet>
    </Stack>
  );
}
