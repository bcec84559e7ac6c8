import { Text } from '@mantine/core';
import type { SignIn } from '@steward/contract/users/sign-ins';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { CellLines } from '#platform/tables/cell-lines.tsx';
import { type Column, SkeletonBar } from '#platform/tables/data-table.tsx';
import { WHEN_COLUMN } from '#platform/tables/when-column.tsx';
import { fullName } from '#workspace/people/initials.ts';
import { METHODS, OUTCOMES } from './sign-in-text.ts';

/** Columns of the log. An IPv6 address needs the width that the last cell of a card doesn't have. */
export const SIGN_IN_COLUMNS: readonly Column<SignIn>[] = [
  WHEN_COLUMN,
  {
    id: 'user',
    header: 'User',
    width: 'minmax(0, 3.4fr)',
    cell: (record) => {
      const name = fullName(record);
      return <CellLines name={name} note={name === record.email ? '' : record.email} />;
    },
    skeleton: <SkeletonBar width="8rem" />,
  },
  {
    id: 'result',
    header: 'Result',
    width: 'minmax(0, 2.8fr)',
    cell: ({ outcome }) => <StateBadge tone={OUTCOMES[outcome].tone} word={OUTCOMES[outcome].label} />,
    skeleton: <SkeletonBar width="6rem" height="1.375rem" />,
  },
  {
    id: 'method',
    header: 'Method',
    width: 'minmax(0, 1.6fr)',
    cell: ({ method }) => (
      <Text span display="block" truncate>
        {METHODS[method]}
      </Text>
    ),
    skeleton: <SkeletonBar width="5rem" />,
  },
  {
    id: 'address',
    header: 'IP address',
    width: 'minmax(0, 2.2fr)',
    cell: ({ address }) => (
      <Text component="bdi" display="block" truncate className="figures" title={address}>
        {address}
      </Text>
    ),
    skeleton: <SkeletonBar width="6rem" />,
  },
  {
    id: 'device',
    header: 'Device',
    width: 'minmax(0, 2.4fr)',
    cell: ({ device }) => (
      <Text span display="block" truncate title={device}>
        {device}
      </Text>
    ),
    skeleton: <SkeletonBar width="8rem" />,
  },
];
