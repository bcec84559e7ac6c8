import { Button, Code, Group, Switch, Text } from '@mantine/core';
import type { Token } from '@steward/contract/tokens';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type RefObject, useMemo, useRef } from 'react';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { usePressByCommand } from '#platform/page/waiting-command.ts';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { ConfirmRemoveToken } from '#workspace/tokens/token-dialogs.tsx';
import { AddTokenDialog } from './add-token-dialog.tsx';
import { describeKinds, getTokenState } from './token-text.ts';
import { policyQueryOptions, removing, tokensQueryOptions, useSavePolicy } from './tokens.queries.ts';

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

function AddButton({ ref, onClick }: { ref: RefObject<HTMLButtonElement | null>; onClick: () => void }) {
  usePressByCommand('add token', ref);
  return (
    <Button ref={ref} leftSection={<Icon name="plus" size={16} />} onClick={onClick}>
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
  /** Set if there is no table above. */
  isAlone: boolean;
  mayCreate: boolean;
}

function Address({ teamId, isAlone, mayCreate }: AddressProps) {
  return (
    <Text
      c="dimmed"
      size="xs"
      // The negative margin reduces the wide padding of the empty state.
      {...(isAlone ? { mt: -56, ta: 'center' } : { mt: -8 })}
    >
      Services send content to <Code>POST /api/v4/teams/{teamId}/content</Code>
      {!mayCreate && ' Only owners can create tokens for them.'}
    </Text>
  );
}

interface RemoveTokenDialogProps extends DialogControls {
  teamId: string;
  token: Token;
}

function RemoveTokenDialog({ teamId, token, opened, onClose }: RemoveTokenDialogProps) {
  const remove = useMutation(removing);
  return (
    <ConfirmRemoveToken
      name={token.name}
      effect="will lose access immediately. Content it already sent is kept, but no other token can change it. This can’t be undone; to exchange a token, replace it first."
      isPending={remove.isPending}
      onRemove={(ended) => remove.mutate({ params: { teamId, tokenId: token.id } }, ended)}
      opened={opened}
      onClose={onClose}
    />
  );
}

/** Only owners see the switch. It saves immediately. */
function AdminsSwitch({ teamId }: { teamId: string }) {
  const { data } = useQuery(policyQueryOptions(teamId));
  const { mutate } = useSavePolicy(teamId);
  if (data === undefined) return null;
  return (
    <Switch
      label="Admins can create tokens"
      description="Otherwise, only owners create and remove tokens. Existing tokens keep working."
      checked={data.admins_may_create}
      onChange={({ currentTarget: { checked } }) =>
        mutate({ params: { teamId }, body: { admins_may_create: checked } })
      }
    />
  );
}

type Open = (what: 'replace' | 'remove', token: Token) => void;

/** The last column is only for users who may create tokens. */
function useTokenColumns(open: Open, mayCreate: boolean): readonly PlainColumn<Token>[] {
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
        <RowButton icon="retry" aria-label={`Replace ${token.name}`} onClick={() => open('replace', token)}>
          Replace
        </RowButton>
        <RowButton icon="trash" aria-label={`Remove ${token.name}`} onClick={() => open('remove', token)}>
          Remove
        </RowButton>
      </Group>
    ),
  };
}
