import { Stack, Text, Textarea } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import { USERS_PER_CALL } from '@steward/contract/api/limits';
import { listUsers } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import {
  type Addressee,
  formatAddressee,
  type PastedPart,
  readAddresses,
} from '@steward/contract/users/pasted-addresses';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { EndDateField } from '../end-date-field.tsx';
import { AccountTypeField } from './account-type-field.tsx';
import { ExistingNotice } from './existing-notice.tsx';

interface AddBulkDialogProps extends DialogControls {
  /** The text was pasted into the field for a single address. */
  pasted: string;
}

/** At most this many unread parts are listed. */
const UNREAD_SHOWN = 5;

interface Found {
  people: Addressee[];
  unread: string[];
}

export function AddBulkDialog({ pasted, opened, onClose }: AddBulkDialogProps) {
  const [text, setText] = useState(pasted);
  const [accountType, setAccountType] = useState<1 | 2>(2);
  const [endsOn, setEndsOn] = useState('');
  const found = useMemo(() => toFound(readAddresses(text)), [text]);
  const count = found.people.length;
  const { save, isSaving, failure, problem, refused, existing } = useSaving({ onSaved: onClose, onLeft: setText });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(found, { account_type: accountType, ends_on: endsOn });
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Add Users"
      submitLabel={count === 1 ? 'Invite 1 person' : `Invite ${count} people`}
      isDirty={text !== '' && text !== pasted}
      isIdle={count === 0}
      isSaving={isSaving}
      failure={failure}
      onSubmit={submit}
    >
      <Textarea
        label="Email addresses"
        description="Paste any list, with or without names. We'll send an invitation to each address."
        data-autofocus
        autosize
        minRows={4}
        maxRows={10}
        value={text}
        error={problem}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <FoundText found={found} />
      {existing.length > 0 && <ExistingNotice users={existing} onOpen={onClose} />}
      {refused.length > 0 && <Refused rows={refused} />}
      <AccountTypeField value={String(accountType)} onChange={(chosen) => setAccountType(chosen === '1' ? 1 : 2)} />
      <EndDateField value={endsOn} onChange={setEndsOn} />
    </FormDialog>
  );
}

function toFound(parts: readonly PastedPart[]): Found {
  return {
    people: parts.flatMap((part) => ('email' in part ? [part] : [])),
    unread: parts.flatMap((part) => ('unread' in part ? [part.unread] : [])),
  };
}

function FoundText({ found: { people, unread } }: { found: Found }) {
  const shown = unread.slice(0, UNREAD_SHOWN).join(', ');
  const more = unread.length - UNREAD_SHOWN;
  return (
    <Text role="status" c="dimmed" fz={13} mt={-8}>
      {people.length === 1 ? '1 address found.' : `${people.length.toLocaleString()} addresses found.`}
      {unread.length > 0 && (
        <>
          {' '}
          Not understood: <bdi>{shown}</bdi>
          {more > 0 && ` and ${more} more`}
        </>
      )}
    </Text>
  );
}

type Refusal = Answer<typeof saveUsers>['errors'][number];

function Refused({ rows }: { rows: readonly Refusal[] }) {
  return (
    <Stack gap={4} role="alert" px={12} py={8} bdrs={8} bg="var(--warning-soft)" c="var(--warning)">
      <Text>These people were not added:</Text>
      {rows.map(({ email, error }) => (
        <Text key={String(email)} fz={13}>
          <bdi>{String(email)}</bdi>: {error}
        </Text>
      ))}
    </Stack>
  );
}

/** Entries that weren't saved or understood stay in the field. */
function useSaving({ onSaved, onLeft }: { onSaved: () => void; onLeft: (text: string) => void }) {
  const { id: teamId } = useCurrentTeam();
  const { mutate, isPending, error, data } = useSaveUsers();
  const [problem, setProblem] = useState<string>();
  const save = ({ people, unread }: Found, fields: { account_type: 1 | 2; ends_on: string }) => {
    const isTooLong = people.length > USERS_PER_CALL;
    setProblem(
      isTooLong ? `Add at most ${USERS_PER_CALL.toLocaleString()} people at a time, or import a CSV file.` : undefined,
    );
    if (isTooLong) return;
    mutate(
      {
        params: { teamId },
        query: { if_exists: 'keep' },
        body: people.map((addressee) => ({ ...addressee, ...fields })),
      },
      {
        onSuccess: (answer) => {
          showSuccess(describeResult(answer));
          const refused = answer.errors.flatMap(({ row }) => people[row] ?? []);
          const left = [...refused.map(formatAddressee), ...unread];
          if (left.length === 0 && answer.existing?.length === 0) return onSaved();
          onLeft(left.join('\n'));
        },
      },
    );
  };
  const { errors: refused = [], existing = [] } = data ?? {};
  return { save, isSaving: isPending, failure: error?.message, problem, refused, existing };
}

function describeResult({ invited, unchanged }: Answer<typeof saveUsers>): string {
  const parts = [
    invited > 0 && `${invited.toLocaleString()} invited`,
    unchanged > 0 && `${unchanged.toLocaleString()} already in the team`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Nobody was added' : parts.join(', ');
}

function useSaveUsers() {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useChangeWithKey({
    ...mutationOptionsFor(saveUsers),
    onSuccess: () => refetchListsFromStart(client, { endpoint: listUsers, teamId }),
  });
}
