import { Radio, Stack, Text, Textarea } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import { USERS_PER_CALL } from '@steward/contract/api/limits';
import { listUsers } from '@steward/contract/users';
import { saveUsers } from '@steward/contract/users/multi';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { type PastedAddresses, readPastedAddresses } from './pasted-addresses.ts';

interface AddManyDialogProps {
  /** The text was pasted into the field for a single address. */
  pasted: string;
  opened: boolean;
  onClose: () => void;
}

/** At most this many invalid parts are listed. */
const REJECTED_SHOWN = 5;

export function AddManyDialog({ pasted, opened, onClose }: AddManyDialogProps) {
  const [text, setText] = useState(pasted);
  const [accountType, setAccountType] = useState<1 | 2>(2);
  const found = useMemo(() => readPastedAddresses(text), [text]);
  const count = found.people.length;
  const { save, isSaving, failure, problem, refused } = useSaving({ onSaved: onClose, onLeft: setText });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(found, accountType);
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
      {refused.length > 0 && <Refused rows={refused} />}
      <AccountType value={accountType} onChange={setAccountType} />
    </FormDialog>
  );
}

function FoundText({ found: { people, rejected } }: { found: PastedAddresses }) {
  const unread = rejected.filter((part) => part !== '');
  const shown = unread.slice(0, REJECTED_SHOWN).join(', ');
  const more = unread.length - REJECTED_SHOWN;
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

function AccountType({ value, onChange }: { value: 1 | 2; onChange: (value: 1 | 2) => void }) {
  const team = useCurrentTeam();
  return (
    <Radio.Group
      label="Account Type"
      required
      value={String(value)}
      onChange={(chosen) => onChange(chosen === '1' ? 1 : 2)}
    >
      <Stack gap={12} mt={8}>
        <Radio
          value="2"
          label="Team User"
          description={`Can use ${team.display_name}'s workspace. No access to this portal.`}
        />
        <Radio value="1" label="Team Admin" description="Can also manage the team in the admin portal." />
      </Stack>
    </Radio.Group>
  );
}

/** Entries that weren't saved stay in the field, with the reasons below it. */
function useSaving({ onSaved, onLeft }: { onSaved: () => void; onLeft: (text: string) => void }) {
  const { id: teamId } = useCurrentTeam();
  const [idempotencyKeyFor] = useState(createIdempotencyKeys);
  const { mutate, isPending, error } = useSaveUsers();
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const [problem, setProblem] = useState<string>();
  const save = ({ people }: PastedAddresses, account_type: 1 | 2) => {
    setRefused([]);
    const isTooLong = people.length > USERS_PER_CALL;
    setProblem(
      isTooLong ? `Add at most ${USERS_PER_CALL.toLocaleString()} people at a time, or import a CSV file.` : undefined,
    );
    if (isTooLong) return;
    // A name that wasn't pasted must not clear the stored one.
    const body = people.map(({ email, first_name, last_name }) =>
      first_name === '' && last_name === '' ? { email, account_type } : { email, first_name, last_name, account_type },
    );
    mutate(
      { params: { teamId }, body, idempotencyKey: idempotencyKeyFor(body) },
      {
        onSuccess: (answer) => {
          showAlert({ kind: 'success', text: describeResult(answer) });
          if (answer.errors.length === 0) return onSaved();
          setRefused(answer.errors);
          onLeft(answer.errors.map(({ email }) => String(email)).join('\n'));
        },
      },
    );
  };
  return { save, isSaving: isPending, failure: error?.message, problem, refused };
}

function describeResult({ invited, changed, unchanged }: Answer<typeof saveUsers>): string {
  const parts = [
    invited > 0 && `${invited.toLocaleString()} invited`,
    changed > 0 && `${changed.toLocaleString()} changed`,
    unchanged > 0 && `${unchanged.toLocaleString()} already up to date`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'Nobody was added' : parts.join(', ');
}

function useSaveUsers() {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useMutation({
    ...mutationOptionsFor(saveUsers),
    onSuccess: () => refetchListsFromStart(client, { endpoint: listUsers, teamId }),
  });
}
