import '@mantine/core/styles/Code.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Button, Code, Text } from '@mantine/core';
import type { Token } from '@steward/contract/tokens';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { AddTokenDialog } from './add-token-dialog.tsx';
import { RemoveTokenDialog } from './remove-token-dialog.tsx';
import { tokensQueryOptions } from './tokens.queries.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/service_tokens')({ component: TokensPage });

function TokensPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(tokensQueryOptions(team.id));
  const add = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'add' | 'remove', Token>('add', add);
  const columns = useColumns(open);
  return (
    <Page
      title="Service Tokens"
      description={`Tokens that let chat, meeting and phone services import content into ${team.display_name}.`}
      actions={
        <>
          <HistoryLink actions={['tokens']} />
          <Button
            ref={add}
            data-command="add token"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => open('add')}
          >
            Add Token
          </Button>
        </>
      }
    >
      {data === undefined && error === null && <Skeletons rows={3} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoTokens />}
      {data !== undefined && data.records.length > 0 && (
        <PlainTable label="Service tokens" columns={columns} rows={data.records} rowId={({ id }) => id} />
      )}
      {data !== undefined && (
        <Text
          c="dimmed"
          size="xs"
          // Close to the empty state, which has a wide padding.
          {...(data.records.length === 0 ? { mt: -56, ta: 'center' } : { mt: -8 })}
        >
          Services send content to <Code>POST /api/v4/teams/{team.id}/content</Code>
        </Text>
      )}
      {current.what === 'add' && current.time > 0 && (
        <AddTokenDialog key={current.time} teamId={team.id} opened={current.opened} onClose={close} />
      )}
      {current.what === 'remove' && current.about !== null && (
        <RemoveTokenDialog
          key={current.time}
          teamId={team.id}
          token={current.about}
          opened={current.opened}
          onClose={close}
        />
      )}
    </Page>
  );
}

function NoTokens() {
  return (
    <EmptyState icon="key" title="No service tokens yet">
      Services use a token to import messages, files, meetings and calls. Create one per service.
    </EmptyState>
  );
}

function useColumns(open: (what: 'remove', token: Token) => void): readonly PlainColumn<Token>[] {
  return useMemo(
    () => [
      {
        id: 'name',
        header: 'Name',
        width: 'minmax(0, 2.4fr)',
        cell: ({ name }) => (
          <Text span inherit fw={500}>
            <bdi>{name}</bdi>
          </Text>
        ),
      },
      {
        id: 'created_by',
        header: 'Created by',
        width: 'minmax(0, 2fr)',
        cell: ({ created_by_name }) => <bdi>{created_by_name}</bdi>,
      },
      {
        id: 'created',
        header: 'Created',
        width: 'minmax(0, 2fr)',
        cell: ({ created_at }) => <Timestamp at={created_at} />,
      },
      {
        id: 'used',
        header: 'Last used',
        width: 'minmax(0, 2fr)',
        cell: ({ last_used_at }) => (last_used_at === 0 ? 'Never' : <Timestamp at={last_used_at} />),
      },
      {
        id: 'actions',
        header: 'ACTIONS',
        width: '6.5rem',
        cell: (token) => (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="trash" size={14} />}
            aria-label={`Remove ${token.name}`}
            onClick={() => open('remove', token)}
          >
            Remove
          </Button>
        ),
      },
    ],
    [open],
  );
}
