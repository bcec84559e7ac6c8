import { Flex, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatNumber } from '#platform/time/format.ts';
import classes from './list-layout.module.css';

interface Words {
  one: string;
  many: string;
}

interface ListLayoutProps {
  search: ReactNode;
  /** Number of rows; '' while unknown. */
  count: string;
  actions: ReactNode;
  children: ReactNode;
}

/** The controls are above the list and wrap on a phone. */
export function ListLayout({ search, count, actions, children }: ListLayoutProps) {
  return (
    <Flex direction="column" gap={{ base: 8, sm: 16 }} miw={0} data-list>
      <Group gap={8} className={classes.toolbar ?? ''}>
        {search}
        <Text
          role="status"
          className="figures"
          flex={1}
          miw="max-content"
          px={{ base: 0, sm: 8 }}
          c="dimmed"
          fz="0.8125rem"
          ta={{ base: 'left', sm: 'right' }}
        >
          {count}
        </Text>
        {actions}
      </Group>
      {children}
    </Flex>
  );
}

/** Number of loaded rows, and of all if it is known; '' while no row is loaded. */
export function formatCount(
  list: { records: readonly unknown[]; total: number | null } | undefined,
  hasMore: boolean,
  { one, many }: Words,
): string {
  if (list === undefined) return '';
  const count = list.records.length;
  // Rows that were removed since the first page loaded no longer count.
  if (hasMore && list.total !== null && list.total > count)
    return `${formatNumber(count)} of ${formatNumber(list.total)} ${many}`;
  const rows = `${formatNumber(count)} ${count === 1 ? one : many}`;
  return hasMore ? `First ${rows}` : rows;
}
