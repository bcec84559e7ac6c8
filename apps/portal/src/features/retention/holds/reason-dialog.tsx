import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { HOLD_TEXT_MAX } from '@steward/contract/api/limits';
import { type Hold, releaseHold } from '@steward/contract/retention/holds';
import type { ReactNode } from 'react';
import { collectErrors, toFieldErrors } from '#platform/api/field-errors.ts';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import type { DialogControls } from '#platform/dialogs/dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { exportingHold, releasingHold } from './holds.queries.ts';

interface ReasonDialogProps extends DialogControls {
  what: 'release' | 'export';
  hold: Hold;
}

const LABELS = { reason: 'The reason' };

/** The dialog is mounted anew for each opening. */
export function ReasonDialog({ what, hold, opened, onClose }: ReasonDialogProps) {
  const { id: teamId } = useCurrentTeam();
  const form = useForm({
    initialValues: { reason: '' },
    validate: (values) => collectErrors(releaseHold.body?.safeParse(values).error?.issues ?? [], LABELS),
  });
  const release = useChangeWithKey(releasingHold);
  const exporting = useChangeWithKey(exportingHold);
  const { isPending, error } = what === 'release' ? release : exporting;
  const save = (body: { reason: string }) => {
    const sent = { params: { teamId, holdId: hold.id }, body };
    const ended = {
      onSuccess: () => {
        showSuccess(what === 'release' ? 'The hold was released' : 'The export has started');
        onClose();
      },
      onError: ({ message }: { message: string }) => {
        form.setErrors(toFieldErrors(message, LABELS));
        showFailure({ message });
      },
    };
    if (what === 'release') release.mutate(sent, ended);
    else exporting.mutate(sent, ended);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={what === 'release' ? 'Release Legal Hold' : 'Export Legal Hold'}
      submitLabel={what === 'release' ? 'Release' : 'Start export'}
      danger={what === 'release'}
      isDirty={form.isDirty() && error === null && !release.isSuccess && !exporting.isSuccess}
      isSaving={isPending}
      failure={error?.message}
      onSubmit={form.onSubmit(save, () => form.getInputNode('reason')?.focus())}
    >
      {what === 'release' ? <ReleaseText hold={hold} /> : <ExportText hold={hold} />}
      <Textarea
        label="Reason"
        description="Kept in the audit log."
        required
        data-autofocus
        rows={2}
        maxLength={HOLD_TEXT_MAX}
        {...form.getInputProps('reason')}
      />
    </FormDialog>
  );
}

function Name({ children }: { children: ReactNode }) {
  return (
    <strong>
      <bdi>{children}</bdi>
    </strong>
  );
}

function ReleaseText({ hold: { name, automatic } }: { hold: Hold }) {
  if (automatic)
    return (
      <Text c="dimmed">
        <Name>{name}</Name> ends at once. The next nightly run deletes what was restored if a rule still covers it.
      </Text>
    );
  return (
    <Text c="dimmed">
      <Name>{name}</Name> ends in 24 hours, and the owners of the team get an email. From then on, retention rules
      delete what only this hold kept. Save the hold before then to keep it.
    </Text>
  );
}

function ExportText({ hold: { name } }: { hold: Hold }) {
  return (
    <Text c="dimmed">
      The file has everything that <Name>{name}</Name> covers, private and direct messages included, and a manifest with
      a checksum of each part. Only you can download it, for 7 days.
    </Text>
  );
}
