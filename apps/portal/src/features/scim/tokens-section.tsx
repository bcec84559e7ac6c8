import { Button, Group, Stack, Text } from '@mantine/core';
import type { ScimToken } from '@steward/contract/scim';
import { useId, useMemo, useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { AddTokenDialog } from './add-token-dialog.tsx';
import { RemoveTokenDialog } from './remove-token-dialog.tsx';

/** The tokens of a team. */
export function TokensSection({ teamId, tokens }: { teamId: string; tokens: readonly ScimToken[] }) {
  const id = useId();
  const add = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'add' | 'remove', ScimToken>('add', add);
  const columns = useMemo(() => [...COLUMNS, toActions((token) => open('remove', token))], [open]);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Text component="h2" id={id} size="lg" fw={600}>
          Tokens
        </Text>
        <Button
          ref={add}
          data-command="add provisioning token"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => open('add')}
        >
          Add Token
        </Button>
      </Group>
      {tokens.length === 0 ? (
        <NoTokens />
      ) : (
        <PlainTable label="Provisioning tokens" columns={columns} rows={tokens} rowId={(token) => token.id} isWide />
      )}
      {current.what === 'add' && current.time > 0 && (
        <AddTokenDialog key={current.time} teamId={teamId} opened={current.opened} onClose={close} />
      )}
      {current.what === 'remove' && current.about !== null && (
        <RemoveTokenDialog
          key={current.time}
          teamId={teamId}
          token={current.about}
          opened={current.opened}
          onClose={close}
        />
      )}
    </Stack>
  );
}

function NoTokens() {
  return (
    <EmptyState icon="key" title="No tokens yet">
      Create a token and enter it, with the base URL, at your identity provider. Addresses of domains that the team has
      verified become members at once; others are invited.
    </EmptyState>
  );
}

const COLUMNS: readonly PlainColumn<ScimToken>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(0, 2fr)',
    cell: ({ name, stopped_at }) => (
      <Group gap="4px 8px">
        <Text span inherit fw={500}>
          <bdi>{name}</bdi>
        </Text>
        {stopped_at > 0 && <StateBadge word="Stopped" tone="danger" />}
      </Group>
    ),
  },
  {
    id: 'created_by',
    header: 'Created by',
    width: 'minmax(0, 2fr)',
    cell: ({ created_by_name, stopped_at }) => (
      <>
        <bdi>{created_by_name}</bdi>
        {stopped_at > 0 && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            No longer an owner, so the token stopped
          </Text>
        )}
      </>
    ),
  },
  {
    id: 'used',
    header: 'Last used',
    width: 'minmax(0, 2fr)',
    cell: ({ last_used_at }) => (last_used_at === 0 ? 'Never' : <Timestamp at={last_used_at} />),
  },
];

function toActions(onRemove: (token: ScimToken) => void): PlainColumn<ScimToken> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '8rem',
    cell: (token) => (
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Icon name="trash" size={14} />}
        aria-label={`Remove ${token.name}`}
        onClick={() => onRemove(token)}
      >
        Remove
      </Button>
    ),
  };
}
