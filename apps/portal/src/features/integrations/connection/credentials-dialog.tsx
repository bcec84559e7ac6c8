import { Button } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { useState } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { Warnings } from '../status/warnings.tsx';
import { replaceCredentialsMutation } from './connection.queries.ts';
import { CredentialFields } from './credential-fields.tsx';
import { useSaveCredentials } from './use-save-credentials.ts';

interface CredentialsDialogProps {
  teamId: string;
  /** The stored settings; undefined if they couldn't be fetched. */
  detail: IntegrationDetail | undefined;
  integrationId: string;
  opened: boolean;
  onClose: () => void;
}

/** Replaces the credentials. Mounted anew for each opening, so that no secret stays in it. */
export function CredentialsDialog({ teamId, integrationId, detail, opened, onClose }: CredentialsDialogProps) {
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const { form, submit, isSaving, failure } = useSaveCredentials({
    stored: detail,
    send: replaceCredentialsMutation({ teamId, integrationId }),
    done: 'Updated Successfully',
    onSaved: (found) => {
      if (found.length === 0) onClose();
      else setWarnings(found);
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

/** An alert closes after 4 seconds; manual steps stay on the screen until they have been read. */
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
