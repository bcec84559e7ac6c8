import type { KindRetention, StoredRetention } from '@steward/contract/retention';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { formatRule } from '../retention-text.ts';
import { RunResult } from '../rules/facts-panel.tsx';
import { placeOf } from '../rules/groups.ts';
import { formatBytes, formatDay, formatNumber } from '../runs/format.ts';
import classes from './overview.module.css';

interface OverviewTableProps {
  overview: { time_zone: string; kinds: readonly KindRetention[] };
  stored: Pick<UseQueryResult<{ records: readonly StoredRetention[] }>, 'data' | 'error'>;
}

/** All kinds with their rules; each leads to its form. */
export function OverviewTable({ overview, stored }: OverviewTableProps) {
  const { time_zone, kinds } = overview;
  const columns = useMemo(
    (): readonly PlainColumn<KindRetention>[] => [
      {
        id: 'kind',
        header: 'What',
        width: 'minmax(0, 2.2fr)',
        cell: ({ kind }) => <KindCell kind={kind} />,
      },
      { id: 'rule', header: 'Rule', width: 'minmax(0, 2.6fr)', cell: (row) => <RuleCell row={row} /> },
      {
        id: 'cutoff',
        header: 'Kept since',
        width: 'minmax(0, 2fr)',
        cell: (row) => <SinceCell row={row} zone={time_zone} />,
      },
      {
        id: 'stored',
        header: 'Stored',
        width: 'minmax(0, 1.5fr)',
        cell: ({ kind }) => <StoredCell kind={kind} stored={stored} of={({ count, bytes }) => [count, bytes]} />,
      },
      {
        id: 'overdue',
        header: 'Overdue',
        width: 'minmax(0, 1.5fr)',
        cell: ({ kind }) => (
          <StoredCell kind={kind} stored={stored} of={({ overdue, overdue_bytes }) => [overdue, overdue_bytes]} />
        ),
      },
      {
        id: 'run',
        header: 'Last run',
        width: 'minmax(0, 2.6fr)',
        cell: ({ running, last_run }) => {
          const run = running ?? last_run;
          return run === null ? <span className={classes.quiet}>Never</span> : <RunResult run={run} />;
        },
      },
    ],
    [time_zone, stored],
  );
  return <PlainTable label="Retention rules" columns={columns} rows={kinds} rowId={({ kind }) => kind} />;
}

function KindCell({ kind }: Pick<KindRetention, 'kind'>) {
  const { group, setting } = placeOf(kind);
  return (
    <span className={classes.lines}>
      <Link to={`/dashboard/team_settings/${group.name}`} className={classes.link}>
        {setting.title}
      </Link>
      {group.settings.length > 1 && <span className={classes.quiet}>{group.short}</span>}
    </span>
  );
}

function RuleCell({ row: { rule } }: { row: KindRetention }) {
  const { effective_at, in_force } = rule;
  return (
    <span className={classes.lines}>
      <span>{formatRule(in_force ?? rule)}</span>
      {rule.unreadable && <span className={classes.waiting}>Nothing is deleted. Save it again.</span>}
      {effective_at !== undefined && (
        <span className={classes.waiting}>
          <Icon name="clock" size={14} />
          <span>
            {formatRule({ ...rule, in_force: undefined })} from <Timestamp at={effective_at} />
          </span>
        </span>
      )}
    </span>
  );
}

function SinceCell({ row: { rule, cutoff }, zone }: { row: KindRetention; zone: string }) {
  const { value } = rule.in_force ?? rule;
  if (cutoff !== null && value === 1) return formatDay(cutoff, zone);
  return (
    <span className={classes.lines}>
      <span>The beginning</span>
      {cutoff !== null && <span className={classes.quiet}>Marked deleted: {formatDay(cutoff, zone)}</span>}
    </span>
  );
}

interface StoredCellProps extends Pick<OverviewTableProps, 'stored'> {
  kind: KindRetention['kind'];
  of: (stored: StoredRetention) => [count: number, bytes: number];
}

function StoredCell({ kind, stored: { data, error }, of }: StoredCellProps) {
  const record = data?.records.find((one) => one.kind === kind);
  if (record === undefined) return error === null ? <Skeletons rows={1} height={14} width="4rem" /> : '?';
  const [count, bytes] = of(record);
  if (count === 0) return <span className={classes.dim}>0</span>;
  return (
    <span className={classes.pair}>
      <span>{formatNumber(count)}</span>
      <span className={classes.quiet}>{formatBytes(bytes)}</span>
    </span>
  );
}
