import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import type { KindRetention, StoredRetention } from '@steward/contract/retention';
import { KIND_TEXT, summarizeRule } from '@steward/contract/retention/describe-rule';
import type { SavedRule } from '@steward/contract/retention/fields';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Quiet, TeamTimestamp } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { ResponsiveTable } from '#platform/tables/responsive-table.tsx';
import { formatBytes, formatDayIn, formatNumber } from '#platform/time/format.ts';
import { getGroupByKind, getGroupParam } from '../groups.ts';
import { RunBadge, RunResult } from '../runs/run-result.tsx';

interface OverviewTableProps {
  overview: { time_zone: string; kinds: readonly KindRetention[] };
  stored: Stored;
}

type Stored = Pick<UseQueryResult<{ records: readonly StoredRetention[] }>, 'data' | 'error'>;

export function OverviewTable({ overview: { time_zone: zone, kinds }, stored }: OverviewTableProps) {
  const columns = useMemo(() => getColumns(zone, stored), [zone, stored]);
  const due = new Map(stored.data?.records.map(({ kind, overdue }) => [kind, overdue]));
  return (
    <ResponsiveTable
      label="Retention rules"
      columns={columns}
      rows={kinds}
      rowId={({ kind }) => kind}
      {...(stored.data !== undefined && { footer: getTotals(stored.data.records) })}
      summary={(row) => <RuleSummary row={row} due={due.get(row.kind) ?? 0} />}
    />
  );
}

function getTotals(records: readonly StoredRetention[]) {
  const sum = (pick: (record: StoredRetention) => number) => records.reduce((total, record) => total + pick(record), 0);
  const total = (count: number, bytes: number) => (
    <Stack key="total" gap={2}>
      <span>{formatNumber(count)}</span>
      <Quiet>{formatBytes(bytes)}</Quiet>
    </Stack>
  );
  const stored = total(
    sum(({ count }) => count),
    sum(({ bytes }) => bytes),
  );
  const due = total(
    sum(({ overdue }) => overdue),
    sum(({ overdue_bytes }) => overdue_bytes),
  );
  return ['Total', null, null, stored, due, null];
}

/** A narrow screen has two lines per rule. */
function RuleSummary({ row: { kind, rule, running, last_run }, due }: { row: KindRetention; due: number }) {
  const run = running ?? last_run;
  return (
    <>
      <Stack gap={0}>
        <span>{KIND_TEXT[kind].title}</span>
        <Quiet>{summarizeSaved(rule.in_force ?? rule)}</Quiet>
      </Stack>
      <Group gap={8}>
        {due > 0 && <Quiet>{formatNumber(due)} due</Quiet>}
        {rule.effective_at !== undefined && <StateBadge tone="warning" word="Changes soon" />}
        {run !== null && run.state !== 'finished' && <RunBadge state={run.state} />}
      </Group>
    </>
  );
}

function getColumns(zone: string, stored: Stored): readonly PlainColumn<KindRetention>[] {
  const column = (id: string, header: string, [width, cell]: [number, PlainColumn<KindRetention>['cell']]) => ({
    id,
    header,
    cell,
    width: `minmax(0, ${width}fr)`,
  });
  return [
    column('kind', 'Kind', [2.2, ({ kind }) => <KindCell kind={kind} />]),
    column('rule', 'Rule', [2.6, ({ rule }) => <RuleCell rule={rule} zone={zone} />]),
    column('cutoff', 'Keeps content from', [2, (row) => <CutoffCell row={row} zone={zone} />]),
    column('stored', 'Stored', [
      1.5,
      ({ kind }) => <StoredCell kind={kind} stored={stored} get={({ count, bytes }) => [count, bytes]} />,
    ]),
    column('due', 'Due for deletion', [
      1.5,
      ({ kind }) => (
        <StoredCell
          kind={kind}
          stored={stored}
          get={({ overdue, overdue_bytes, held }) => [overdue, overdue_bytes, held.count]}
        />
      ),
    ]),
    column('run', 'Last run', [2.6, (row) => <LastRunCell row={row} />]),
  ];
}

function LastRunCell({ row: { running, last_run } }: { row: KindRetention }) {
  const run = running ?? last_run;
  return run === null ? <Quiet>Never</Quiet> : <RunResult run={run} />;
}

function KindCell({ kind }: Pick<KindRetention, 'kind'>) {
  const group = getGroupByKind(kind);
  return (
    <Stack gap={2} align="flex-start">
      <Anchor
        inherit
        fw={500}
        my={-2}
        py={2}
        renderRoot={(props) => (
          <Link to="/dashboard/team_settings/{$group}_retention" params={{ group: getGroupParam(group) }} {...props} />
        )}
      >
        {KIND_TEXT[kind].title}
      </Anchor>
      {group.settings.length > 1 && <Quiet>{group.short}</Quiet>}
    </Stack>
  );
}

function summarizeSaved(rule: SavedRule): string {
  return rule.unreadable ? "Can't be read" : summarizeRule(rule);
}

function RuleCell({ rule, zone }: { rule: SavedRule; zone: string }) {
  const { effective_at, in_force } = rule;
  return (
    <Stack gap={2}>
      <span>{summarizeSaved(in_force ?? rule)}</span>
      {rule.unreadable && (
        <Text c="var(--warning)" fz="0.8125rem">
          Nothing is deleted. Save it again.
        </Text>
      )}
      {effective_at !== undefined && (
        <Group gap={6} wrap="nowrap" align="flex-start" c="var(--warning)" fz="0.8125rem">
          <Box component="span" flex="none" lh={1} mt={2}>
            <Icon name="clock" size={14} />
          </Box>
          <span>
            {summarizeRule(rule)} from <TeamTimestamp at={effective_at} teamZone={zone} />
          </span>
        </Group>
      )}
    </Stack>
  );
}

function CutoffCell({ row: { rule, cutoff }, zone }: { row: KindRetention; zone: string }) {
  const { value } = rule.in_force ?? rule;
  if (cutoff !== null && value === 1) return formatDayIn(cutoff, zone);
  return (
    <Stack gap={2}>
      <span>All time</span>
      {cutoff !== null && <Quiet>Marked deleted: from {formatDayIn(cutoff, zone)}</Quiet>}
    </Stack>
  );
}

interface StoredCellProps {
  kind: KindRetention['kind'];
  stored: Stored;
  /** The value is followed by the part that legal holds keep. */
  get: (stored: StoredRetention) => [count: number, bytes: number, held?: number];
}

function StoredCell({ kind, stored: { data, error }, get }: StoredCellProps) {
  const record = data?.records.find((one) => one.kind === kind);
  if (record === undefined) return error === null ? <Skeletons rows={1} height={14} width="4rem" /> : '?';
  const [count, bytes, held = 0] = get(record);
  if (count === 0 && held === 0) return <Quiet>0</Quiet>;
  return (
    <Stack gap={2}>
      <span>{formatNumber(count)}</span>
      {count > 0 && <Quiet>{formatBytes(bytes)}</Quiet>}
      {held > 0 && <Quiet>{formatNumber(held)} held</Quiet>}
    </Stack>
  );
}
