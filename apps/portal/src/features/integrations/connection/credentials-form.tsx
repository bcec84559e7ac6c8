import { Button } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { Link, useNavigate } from '@tanstack/react-router';
import { DiscardDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import classes from '#platform/forms/save-form.module.css';
import { connecting } from '../integrations.queries.ts';
import { Warnings } from '../triggers/warnings.tsx';
import { CredentialFields } from './credential-fields.tsx';
import { useSaveCredentials } from './use-save-credentials.ts';

interface CredentialsFormProps {
  teamId: string;
  integrationId: string;
  /** What an earlier connection has left; a failed fetch of it is none (spec §4). */
  stored: IntegrationDetail | undefined;
}

/** Connects an integration and goes back to the list (spec §2). */
export function CredentialsForm({ teamId, integrationId, stored }: CredentialsFormProps) {
  const navigate = useNavigate();
  const { form, submit, isSaving, failure } = useSaveCredentials({
    stored,
    send: connecting({ teamId, integrationId }),
    done: 'Settings Saved Successfully',
    // What was typed is saved: nothing is asked about it.
    onSaved: (warnings) => navigate({ to: '/dashboard/integrations', state: { warnings }, ignoreBlocker: true }),
  });
  const leaving = useDiscardPrompt(form.isDirty());
  return (
    <form noValidate className={classes.form} aria-label="Credentials" aria-busy={isSaving} onSubmit={submit}>
      <Warnings warnings={stored?.warnings ?? []} />
      <div className={classes.fields}>
        <CredentialFields form={form} />
      </div>
      <div className={classes.foot}>
        <FocusableButton type="submit" isDisabled={false} isBusy={isSaving}>
          Save
        </FocusableButton>
        <Button variant="default" component={Link} to="/dashboard/integrations" disabled={isSaving}>
          Cancel
        </Button>
        <span className={classes.note} role="status">
          {isSaving && 'Verifying with Zendesk. This can take a few seconds.'}
        </span>
        {failure !== undefined && <p className={classes.failure}>{failure}</p>}
      </div>
      <DiscardDialog
        opened={leaving.isConfirming}
        isKept
        question="Leave without saving?"
        onKeepPrevious={leaving.stay}
        onDiscard={() => leaving.leave(form.reset)}
      />
    </form>
  );
}
