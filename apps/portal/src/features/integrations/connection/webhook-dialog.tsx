import { Button, Checkbox } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { useEffect } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import type { Place } from '../integrations.queries.ts';
import { GeneratedSecret } from './generated-secret.tsx';
import { useGeneratedSecret } from './use-generated-secret.ts';
import { Fields } from './webhook-form.tsx';

interface WebhookDialogProps {
  place: Place;
  detail: IntegrationDetail | undefined;
  opened: boolean;
  onClose: () => void;
}

const TITLE = 'UPDATE INTEGRATION CREDENTIALS';

/** Changes how requests are authenticated, and generates a new secret. */
export function WebhookDialog({ place, detail, opened, onClose }: WebhookDialogProps) {
  const form = useGeneratedSecret(place, detail);
  const isDone = form.secret === '';
  useEffect(() => {
    if (isDone) onClose();
  }, [isDone, onClose]);
  if (form.secret)
    return (
      <Dialog opened={opened} onClose={onClose} title={TITLE} closable={false}>
        <GeneratedSecret url={detail?.hook_url ?? ''} secret={form.secret} header={detail?.signature_header ?? ''} />
        <DialogButtons>
          <Button data-autofocus onClick={onClose}>
            Done
          </Button>
        </DialogButtons>
      </Dialog>
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={TITLE}
      submitLabel="Update"
      isDirty={form.isDirty}
      isSaving={form.isSaving}
      failure={form.failure}
      onSubmit={(event) => {
        event?.preventDefault();
        form.save();
      }}
    >
      <Fields fields={detail?.credential_form.fields ?? []} value={form.header} onChange={form.setHeader} />
      <Checkbox
        label="Generate a new secret"
        description="The current secret stops working immediately."
        checked={form.isRotated}
        onChange={({ currentTarget }) => form.setRotated(currentTarget.checked)}
      />
    </FormDialog>
  );
}
