import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TOKEN_NAME_MAX } from '@steward/contract/api/limits';
import type { ScimToken } from '@steward/contract/scim';
import { useMutation } from '@tanstack/react-query';
import { useId, useMemo, useRef } from 'react';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { ConfirmRemoveToken, NewTokenDialog } from '#workspace/tokens/token-dialogs.tsx';
import { adding, removing } from './provisioning.queries.ts';

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
        <Button ref={add} leftSection={<Icon name="plus" size={16} />} onClick={() => open('add')}>
          Add Token
        </Button>
      </Group>
      {tokens.length === 0 ? (
        <NoTokens />
      ) : (
        <PlainTable label="Provisioning tokens" columns={columns} rows={tokens} rowId={(token) => token.id} />
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
      <RowButton icon="trash" aria-label={`Remove ${token.name}`} onClick={() => onRemove(token)}>
        Remove
      </RowButton>
    ),
  };
}

interface RemoveTokenDialogProps extends DialogControls {
  teamId: string;
  token: ScimToken;
}

function RemoveTokenDialog({ teamId, token, opened, onClose }: RemoveTokenDialogProps) {
  const remove = useMutation(removing);
  return (
    <ConfirmRemoveToken
      name={token.name}
      effect="will stop working immediately. Users stay as they are, but none are added or deactivated until the provider has another token. This can’t be undone."
      isPending={remove.isPending}
      onRemove={(ended) => remove.mutate({ params: { teamId, tokenId: token.id } }, ended)}
      opened={opened}
      onClose={onClose}
    />
  );
}

interface AddTokenDialogProps extends DialogControls {
  teamId: string;
}

/** The token is shown only once. The dialog is mounted anew for each opening. */
function AddTokenDialog({ teamId, opened, onClose }: AddTokenDialogProps) {
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'The name is required.' : null) },
  });
  const add = useChangeWithKey(adding);
  if (add.data !== undefined) return <NewToken added={add.data} opened={opened} onClose={onClose} />;
  const save = (body: { name: string }) =>
    add.mutate(
      { params: { teamId }, body },
      {
        onSuccess: () => showSuccess('Added Successfully'),
        onError: showFailure,
      },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Add Token"
      submitLabel="Add Token"
      isDirty={form.isDirty()}
      isSaving={add.isPending}
      failure={add.error?.message}
      onSubmit={form.onSubmit(save, () => form.getInputNode('name')?.focus())}
    >
      <TextInput
        label="Name"
        description="The identity provider that will use this token."
        required
        data-autofocus
        maxLength={TOKEN_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <Text c="dimmed" size="xs">
        The token lets it add, change, deactivate and remove users. It stops when you are no longer an owner.
      </Text>
    </FormDialog>
  );
}

interface NewTokenProps extends DialogControls {
  added: { name: string; token: string; base_url: string };
}

function NewToken({ added: { name, token, base_url }, opened, onClose }: NewTokenProps) {
  return (
    <NewTokenDialog opened={opened} onClose={onClose}>
      <Text mb="md">
        Enter both at <bdi>{name}</bdi>. Copy the token now: you won’t be able to see it again.
      </Text>
      <CopyField label="Token" value={token} showsLabel isFirst />
      <CopyField label="Base URL" value={base_url} showsLabel />
    </NewTokenDialog>
  );
}
