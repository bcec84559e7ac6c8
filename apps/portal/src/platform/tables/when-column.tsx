import { Text } from '@mantine/core';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { type Column, SkeletonBar } from './data-table.tsx';

export const WHEN_COLUMN: Column<{ at: number }> = {
  id: 'when',
  header: 'When',
  width: 'minmax(0, 2.6fr)',
  cell: ({ at }) => (
    <Text span display="block" truncate>
      <Timestamp at={at} />
    </Text>
  ),
  skeleton: <SkeletonBar width="9rem" />,
};
