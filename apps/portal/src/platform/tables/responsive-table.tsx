import { Box, Group, Paper } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Facts } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { PlainTable, type PlainTableProps } from './plain-table.tsx';
import classes from './responsive-table.module.css';

/** Below this width, a row with many columns doesn't fit beside the sidebar. */
const NARROW = '(max-width: 75.99em)';

interface ResponsiveTableProps<Row> extends Omit<PlainTableProps<Row>, 'isWide'> {
  /** A collapsed row shows this on a narrow screen. */
  summary: (row: Row) => ReactNode;
}

/** On a narrow screen, the table becomes a list of short rows that expand. */
export function ResponsiveTable<Row>({ summary, ...table }: ResponsiveTableProps<Row>) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  if (!isNarrow) return <PlainTable {...table} />;
  const { label, columns, rows, rowId, isStale = false, footer } = table;
  return (
    <Paper
      component="ul"
      withBorder
      m={0}
      p={0}
      style={{ overflow: 'hidden', listStyle: 'none' }}
      className={classes.rows}
      aria-label={label}
      aria-busy={isStale}
    >
      {rows.map((row) => (
        <li key={rowId(row)}>
          <details className={classes.row}>
            <summary>
              <Group component="span" flex={1} gap="0 12px" justify="space-between" miw={0}>
                {summary(row)}
              </Group>
              <Icon name="chevron" size={16} />
            </summary>
            <Box px="sm" pt={4} pb="sm">
              <Facts facts={columns.map(({ header, cell }) => [header, cell(row)])} />
            </Box>
          </details>
        </li>
      ))}
      {footer !== undefined && (
        <Box component="li" px="sm" py="sm" fw={600}>
          <Facts facts={columns.map(({ header }, at) => [header, footer[at] ?? null])} />
        </Box>
      )}
    </Paper>
  );
}

export function TableSkeleton({ rows }: { rows: number }) {
  return (
    <Paper withBorder px="md" py="sm" aria-busy="true">
      <Skeletons rows={rows} height={38} />
    </Paper>
  );
}
