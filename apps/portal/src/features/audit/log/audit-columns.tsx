import { ActionIcon, Text } from '@mantine/core';
import type { AuditRecord } from '@steward/contract/audit';
import { useMemo } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import { CellLines } from '#platform/tables/cell-lines.tsx';
import { type Column, SkeletonBar } from '#platform/tables/data-table.tsx';
import { WHEN_COLUMN } from '#platform/tables/when-column.tsx';
import classes from '../audit.module.css';
import { getActionText, getActor, getSource, getTarget } from '../text/audit-text.ts';

const READ: readonly Column<AuditRecord>[] = [
  WHEN_COLUMN,
  {
    id: 'who',
    header: 'Who',
    width: 'minmax(0, 3.2fr)',
    cell: (record) => <CellLines {...getActor(record, productName())} />,
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'what',
    header: 'What',
    width: 'minmax(0, 3.2fr)',
    cell: (record) => (
      <Text component="strong" display="block" fw={500} truncate>
        {getActionText(record)}
      </Text>
    ),
    skeleton: <SkeletonBar width="10rem" />,
  },
  {
    id: 'target',
    header: 'Target',
    width: 'minmax(0, 3fr)',
    cell: (record) => <CellLines {...getTarget(record)} />,
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'from',
    header: 'Source',
    width: 'minmax(0, 2fr)',
    cell: (record) => (
      <Text component="bdi" display="block" truncate>
        {getSource(record)}
      </Text>
    ),
    skeleton: <SkeletonBar width="6rem" />,
  },
];

/** Columns of the log. A click anywhere on a row opens its details; the button at the end is for the keyboard. */
export function useAuditColumns(open: (what: 'details', record: AuditRecord) => void): readonly Column<AuditRecord>[] {
  return useMemo(
    () => [
      ...READ,
      {
        id: 'details',
        header: 'Details',
        headerHidden: true,
        width: '2.25rem',
        cell: (record) => <Open record={record} onOpen={() => open('details', record)} />,
      },
    ],
    [open],
  );
}

function Open({ record, onOpen }: { record: AuditRecord; onOpen: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      className={classes.open ?? ''}
      aria-label={`Details of ${getActionText(record)}, ${getTarget(record).name}`}
      onClick={onOpen}
    >
      <Icon name="chevron" size={16} />
    </ActionIcon>
  );
}
