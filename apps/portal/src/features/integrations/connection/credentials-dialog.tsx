import { Button } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { replaceCredentialsMutation } from '../integrations.queries.ts';
import { Warnings } from '../triggers/warnings.tsx';
import { CredentialFields } from './credential-fields.tsx';
import { useSaveCredentials } from './use-save-credentials.ts';

interface CredentialsDialogProps {
  teamId: string;
  /** The settings as they are; undefined where they could not be fetched. */
  detail: IntegrationDetail | undefined;
  integrationId: string;
  opened: boolean;
  onClose: () => void;
}

/** Replaces the credentials (spec §2, credential modal). Rendered anew for each opening, so that no secret stays in it. */
export function CredentialsDialog({ teamId, integrationId, detail, opened, onClose }: CredentialsDialogProps) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { form, submit, isSaving, failure } = useSaveCredentials({
    stored: detail,
    send: replaceCredentialsMutation({ teamId, integrationId }),
    done: 'Updated Successfully',
    onSaved: (told) => {
      if (told.length === 0) onClose();
      else setWarnings(told);
    },
  });
  if (warnings.length > 0) return <UpdatedDialog warnings={warnings} opened={opened} onClose={onClose} />;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="UPDATE INTEGRATION CREDENTIALS"
      submitLabel="Update"
      isDirty={form.isDirty()}
      isSaving={isSaving}
      failure={failure}
      onSubmit={submit}
    >
      <CredentialFields form={form} />
    </FormDialog>
  );
}

/** An alert goes after 4 seconds; what is left to be done by hand stays until it was read. */
function UpdatedDialog({
  warnings,
  opened,
  onClose,
}: {
  warnings: readonly string[];
  opened: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog opened={opened} onClose={onClose} title="UPDATE INTEGRATION CREDENTIALS">
      <Warnings warnings={warnings} />
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
