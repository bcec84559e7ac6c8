import { List, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { validateConfirmation } from './privacy.form.ts';
import { erasing, type Subject } from './privacy.queries.ts';

interface EraseDialogProps extends DialogControls {
  user: Subject;
}

/** The address has to be typed as confirmation. The dialog is mounted anew for each opening. */
export function EraseDialog({ user, opened, onClose }: EraseDialogProps) {
  const { id: teamId, display_name: team } = useCurrentTeam();
  const form = useForm({
    initialValues: { confirm: '' },
    validate: (values) => validateConfirmation(values, user),
  });
  const erase = useChangeWithKey(erasing);
  const save = ({ confirm }: { confirm: string }) => {
    erase.mutate(
      { params: { teamId, userId: user.id }, body: { confirm: confirm.trim() } },
      {
        onSuccess: ({ name }) => {
          showSuccess(`The user was erased and is now called ${name}`);
          onClose();
        },
        onError: showFailure,
      },
    );
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Erase user"
      submitLabel="Erase for good"
      danger
      isDirty={false}
      isSaving={erase.isPending}
      failure={erase.error?.message}
      onSubmit={form.onSubmit(save, () => form.getInputNode('confirm')?.focus())}
    >
      <Text fw={500}>
        Erase <bdi>{user.name}</bdi> from {team}? This can't be undone.
      </Text>
      <Effects />
      <TextInput
        label="Email address"
        description={
          <>
            Type <bdi>{user.email}</bdi> to confirm.
          </>
        }
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('confirm')}
      />
    </FormDialog>
  );
}

function Effects() {
  return (
    <List c="dimmed" spacing={6}>
      <List.Item>Their name, email address, picture, sign-ins and directory entry are deleted.</List.Item>
      <List.Item>Their address is replaced wherever it occurs in this team's content and audit log.</List.Item>
      <List.Item>What they wrote and did stays, under a name such as “Deleted user 7F3A”.</List.Item>
      <List.Item>If their account belongs to another team, it stays there unchanged.</List.Item>
    </List>
  );
}
