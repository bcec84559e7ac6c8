import { Button, Group, Text } from '@mantine/core';
import type { Token } from '@steward/contract/tokens';
import { useMemo } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Icon } from '#platform/page/icon.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { describeKinds, getTokenState } from './token-text.ts';

type Open = (what: 'replace' | 'remove', token: Token) => void;

/** The columns of the list; the last one only for those who may create tokens. */
export function useTokenColumns(open: Open, mayCreate: boolean): readonly PlainColumn<Token>[] {
  return useMemo(() => (mayCreate ? [...COLUMNS, toActions(open)] : COLUMNS), [open, mayCreate]);
}

const COLUMNS: readonly PlainColumn<Token>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 1.9fr)',
    cell: ({ name }) => (
      <Text span inherit fw={500}>
        <bdi>{name}</bdi>
      </Text>
    ),
  },
  { id: 'imports', header: 'Imports', width: 'minmax(0, 2fr)', cell: (token) => <Rights {...token} /> },
  {
    id: 'created_by',
    header: 'Created by',
    width: 'minmax(0, 1.4fr)',
    cell: ({ created_by_name }) => <bdi>{created_by_name}</bdi>,
  },
  {
    id: 'used',
    header: 'Last used',
    width: 'minmax(0, 1.8fr)',
    cell: ({ last_used_at }) => (last_used_at === 0 ? 'Never' : <Timestamp at={last_used_at} />),
  },
  { id: 'expires', header: 'Expires', width: 'minmax(0, 1.8fr)', cell: (token) => <Expiry {...token} /> },
];

function Rights({ kinds, speak_for_users }: Token) {
  return (
    <>
      {describeKinds(kinds)}
      {speak_for_users && (
        <Text display="block" c="dimmed" fz="0.8125rem">
          Speaks for users
        </Text>
      )}
    </>
  );
}

function Expiry(token: Token) {
  const state = getTokenState(token, Date.now());
  return (
    <Group gap="4px 8px">
      <Timestamp at={token.expires_at} />
      {state !== undefined && <StateBadge {...state} />}
    </Group>
  );
}

function toActions(open: Open): PlainColumn<Token> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '12.5rem',
    cell: (token) => (
      <Group gap={8} wrap="nowrap">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="retry" size={14} />}
          aria-label={`Replace ${token.name}`}
          onClick={() => open('replace', token)}
        >
          Replace
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Icon name="trash" size={14} />}
          aria-label={`Remove ${token.name}`}
          onClick={() => open('remove', token)}
        >
          Remove
        </Button>
      </Group>
    ),
  };
}
