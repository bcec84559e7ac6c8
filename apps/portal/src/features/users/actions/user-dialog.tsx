import { Anchor, SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { EMAIL_MAX, NAME_MAX } from '@steward/contract/api/limits';
import {
  type ExistingUser,
  type ListedUser,
  listUsers,
  PROFILE_FIELDS,
  PROFILE_TEXTS,
  pickProfile,
  saveUser,
} from '@steward/contract/users';
import { type Addressee, readAddresses } from '@steward/contract/users/pasted-addresses';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { lazyComponent } from '#platform/lazy-component.ts';
import { type Pages, updateCachedLists } from '#platform/tables/cached-lists.ts';
import { currentSession, setSession } from '#workspace/session/session-state.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { EndDateField } from '../end-date-field.tsx';
import { AccountTypeField } from './account-type-field.tsx';
import { ExistingNotice } from './existing-notice.tsx';
import {
  applyUserForm,
  fieldErrors,
  getFormValues,
  toRequestBody,
  type UserValues,
  validateUser,
} from './users.form.ts';

const AddBulkDialog = lazyComponent(async () => (await import('./add-bulk-dialog.tsx')).AddBulkDialog);

/** The field can be read and copied, but not edited. */
const LOCKED = { input: { background: 'var(--surface-quiet)', color: 'var(--mantine-color-dimmed)' } };

interface UserDialogProps extends DialogControls {
  /** Without a user, the dialog adds a new one. */
  user: ListedUser | null;
}

/** The dialog is mounted anew for each opening, so that it starts with fresh values. */
export function UserDialog({ user, opened, onClose }: UserDialogProps) {
  // A pasted list continues in the dialog for several users.
  const [pasted, setPasted] = useState<string>();
  if (pasted !== undefined) {
    return (
      <Suspense fallback={null}>
        <AddBulkDialog pasted={pasted} opened={opened} onClose={onClose} />
      </Suspense>
    );
  }
  return <OneUserDialog user={user} opened={opened} onClose={onClose} onBulk={setPasted} />;
}

function OneUserDialog({ user, opened, onClose, onBulk }: UserDialogProps & { onBulk: (text: string) => void }) {
  const form = useForm<UserValues>({ initialValues: getFormValues(user), validate: validateUser });
  const [existing, setExisting] = useState<ExistingUser>();
  const { save, isSaving, failure } = useSaving({
    user,
    onSaved: onClose,
    onExisting: setExisting,
    onErrors: form.setErrors,
  });
  const isKnown = existing !== undefined && existing.email === form.values.email.trim().toLowerCase();
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={user === null ? 'Add User' : 'Edit User'}
      submitLabel={user === null ? 'Add User' : 'Save'}
      isDirty={form.isDirty() && !isKnown}
      isIdle={isKnown || (user !== null && !form.isDirty())}
      isSaving={isSaving}
      failure={failure?.message}
      onSubmit={form.onSubmit(save)}
    >
      <Fields form={form} user={user} onBulk={onBulk} />
      {isKnown && <ExistingNotice users={[existing]} onOpen={onClose} />}
    </FormDialog>
  );
}

interface Saving {
  user: ListedUser | null;
  onSaved: () => void;
  /** Called if the team has the address already, so that nothing was changed. */
  onExisting: (user: ExistingUser) => void;
  onErrors: (errors: ReturnType<typeof fieldErrors>) => void;
}

/** When saving fails, the input stays and fields that the server names show its message. */
function useSaving({ user, onSaved, onExisting, onErrors }: Saving) {
  const { id: teamId } = useCurrentTeam();
  const saving = useSaveUser(user);
  const save = (values: UserValues) => {
    const body = { ...toRequestBody(values, user), if_exists: user === null ? 'keep' : 'update' } as const;
    saving.mutate(
      { params: { teamId }, body },
      {
        onSuccess: ({ existing }) => {
          if (existing !== undefined) return onExisting(existing);
          showSuccess(user === null ? 'Added Successfully' : 'Saved Successfully');
          onSaved();
        },
        onError: (failure) => {
          const isWrongEnd = failure.id === 'users.end_out_of_range';
          onErrors(isWrongEnd ? { ends_on: failure.message } : fieldErrors(failure.message));
          showFailure(failure);
        },
      },
    );
  };
  return { save, isSaving: saving.isPending, failure: saving.error };
}

type UserFormApi = Pick<UseFormReturnType<UserValues>, 'values' | 'setValues' | 'isDirty' | 'getInputProps'>;

interface FieldsProps {
  form: UserFormApi;
  user: ListedUser | null;
  /** Called when more than one address is pasted, or when the user chooses to add several. */
  onBulk: (text: string) => void;
}

function Fields({ form, user, onBulk }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Email"
        type="email"
        required
        maxLength={EMAIL_MAX}
        autoComplete="off"
        readOnly={user !== null}
        {...(user !== null && { styles: LOCKED })}
        data-autofocus={user === null || undefined}
        description={user === null ? "We'll send an invitation to this address." : "The email can't be changed."}
        {...form.getInputProps('email')}
        onPaste={(event) => {
          if (user !== null) return;
          const text = event.clipboardData.getData('text');
          const [first, ...others] = readAddresses(text);
          if (first === undefined || (others.length === 0 && 'unread' in first)) return;
          event.preventDefault();
          if (others.length > 0) onBulk(text);
          else fillIn(form, first as Addressee);
        }}
      />
      {user === null && (
        <Anchor component="button" type="button" fz={13} mt={-12} ta="start" onClick={() => onBulk(form.values.email)}>
          Add several people at once
        </Anchor>
      )}
      <AccountTypeField {...form.getInputProps('account_type')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={16}>
        {PROFILE_FIELDS.map((name, at) => (
          <TextInput
            key={name}
            label={PROFILE_TEXTS[name].label}
            maxLength={NAME_MAX}
            autoComplete="off"
            data-autofocus={(user !== null && at === 0) || undefined}
            {...form.getInputProps(name)}
          />
        ))}
      </SimpleGrid>
      <EndDateField {...form.getInputProps('ends_on')} />
    </>
  );
}

/** A name that was pasted doesn't replace a name that was typed. */
function fillIn({ values, setValues }: UserFormApi, { email, first_name, last_name }: Addressee): void {
  setValues({
    email,
    first_name: values.first_name.trim() || first_name,
    last_name: values.last_name.trim() || last_name,
  });
}

function useSaveUser(edited: ListedUser | null) {
  const { id: teamId } = useCurrentTeam();
  const client = useQueryClient();
  return useChangeWithKey({
    ...mutationOptionsFor(saveUser),
    onSuccess: async (_answer, { body }) => {
      const user = edited === null ? null : applyUserForm(edited, body);
      if (user !== null) renameSelf(user);
      await updateCachedLists<ListedUser>(client, { endpoint: listUsers, teamId }, (pages) =>
        user === null ? pages : replaceUser(pages, user),
      );
    },
  });
}

/** Users who edit themselves see the change in the header too. */
function renameSelf(user: ListedUser): void {
  const session = currentSession();
  if (session?.user.id !== user.id) return;
  setSession({ ...session, user: { ...session.user, ...pickProfile(user) } });
}

function replaceUser(pages: Pages<ListedUser>, user: ListedUser): Pages<ListedUser> {
  const replace = (records: ListedUser[]) => records.map((record) => (record.id === user.id ? user : record));
  return { ...pages, pages: pages.pages.map((page) => ({ ...page, records: replace(page.records) })) };
}
