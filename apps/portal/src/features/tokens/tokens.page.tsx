import { Button, Code, Text } from '@mantine/core';
import type { Token } from '@steward/contract/tokens';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type Ref, useRef } from 'react';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { PlainTable } from '#platform/tables/plain-table.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { AddTokenDialog } from './add-token-dialog.tsx';
import { AdminsSwitch } from './admins-switch.tsx';
import { RemoveTokenDialog } from './remove-token-dialog.tsx';
import { useTokenColumns } from './token-columns.tsx';
import { tokensQueryOptions } from './tokens.queries.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/service_tokens')({ component: TokensPage });

function TokensPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(tokensQueryOptions(team.id));
  const add = useRef<HTMLButtonElement>(null);
  const { current, open, close } = useDialogState<'add' | 'replace' | 'remove', Token>('add', add);
  const mayCreate = data?.may_create ?? false;
  const columns = useTokenColumns(open, mayCreate);
  return (
    <Page
      title="Service Tokens"
      description={`Tokens that let chat, meeting and phone services import content into ${team.display_name}.`}
      actions={
        <>
          <HistoryLink actions={['tokens']} />
          {mayCreate && <AddButton ref={add} onClick={() => open('add')} />}
        </>
      }
    >
      {data === undefined && error === null && <Skeletons rows={3} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoTokens />}
      {data !== undefined && data.records.length > 0 && (
        <PlainTable label="Service tokens" columns={columns} rows={data.records} rowId={({ id }) => id} />
      )}
      {data !== undefined && <Address teamId={team.id} isAlone={data.records.length === 0} mayCreate={mayCreate} />}
      {data !== undefined && team.roles.includes('team_owner') && <AdminsSwitch teamId={team.id} />}
      {current.what !== 'remove' && current.time > 0 && (
        <AddTokenDialog
          key={current.time}
          teamId={team.id}
          replaced={current.what === 'replace' ? (current.about ?? undefined) : undefined}
          opened={current.opened}
          onClose={close}
        />
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

function AddButton({ ref, onClick }: { ref: Ref<HTMLButtonElement>; onClick: () => void }) {
  return (
    <Button ref={ref} data-command="add token" leftSection={<Icon name="plus" size={16} />} onClick={onClick}>
      Add Token
    </Button>
  );
}

function NoTokens() {
  return (
    <EmptyState icon="key" title="No service tokens yet">
      Services use a token to import messages, files, meetings and calls. Create one per service.
    </EmptyState>
  );
}

interface AddressProps {
  teamId: string;
  /** There is no table above. */
  isAlone: boolean;
  mayCreate: boolean;
}

function Address({ teamId, isAlone, mayCreate }: AddressProps) {
  return (
    <Text
      c="dimmed"
      size="xs"
      // Close to the empty state, which has a wide padding.
      {...(isAlone ? { mt: -56, ta: 'center' } : { mt: -8 })}
    >
      Services send content to <Code>POST /api/v4/teams/{teamId}/content</Code>
      {!mayCreate && ' Only owners can create tokens for them.'}
    </Text>
  );
}
