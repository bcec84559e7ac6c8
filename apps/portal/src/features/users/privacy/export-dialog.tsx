import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { EXPORT_DAYS, EXPORT_REASON_MAX } from '@steward/contract/api/limits';
import { useNavigate } from '@tanstack/react-router';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showAlert, showFailure } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { toExportBody, toExportErrors, validateExport } from './privacy.form.ts';
import { exporting, type Subject } from './privacy.queries.ts';

interface ExportDialogProps extends DialogControls {
  user: Subject;
}

const PAGE = '/users/privacy_requests';

/** The dialog is mounted anew for each opening. */
export function ExportDialog({ user, opened, onClose }: ExportDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const form = useForm({ initialValues: { reason: '' }, validate: validateExport });
  const started = useStartedAlert(user);
  const start = useChangeWithKey(exporting);
  const save = (values: { reason: string }) => {
    start.mutate(
      { params: { teamId, userId: user.id }, body: toExportBody(values) },
      {
        onSuccess: () => {
          started();
          onClose();
        },
        onError: ({ message }) => {
          form.setErrors(toExportErrors(message));
          showFailure({ message });
        },
      },
    );
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Export data"
      submitLabel="Start export"
      isDirty={form.isDirty() && !start.isSuccess}
      isSaving={start.isPending}
      failure={start.error?.message}
      onSubmit={form.onSubmit(save, () => form.getInputNode('reason')?.focus())}
    >
      <Text c="dimmed">
        The file has what this team stores about <bdi>{user.name}</bdi>: profile, sessions, sign-ins, directory entry,
        audit log, and the content they created, private and direct messages included. Only you can download it, for{' '}
        {EXPORT_DAYS} days.
      </Text>
      <Textarea
        label="Reason"
        description="Kept in the audit log."
        required
        data-autofocus
        rows={2}
        maxLength={EXPORT_REASON_MAX}
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}

/** The alert links to the page where the export will appear. */
function useStartedAlert({ name }: Subject) {
  const navigate = useNavigate();
  const isThere = globalThis.location.pathname === PAGE;
  const show = { label: 'Privacy Requests', run: () => void navigate({ to: PAGE }) };
  return () =>
    showAlert({
      kind: 'success',
      text: `The export of ${name} has started`,
      ...(!isThere && { action: show }),
    });
}
