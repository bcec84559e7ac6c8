import { Button } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { Link, useNavigate } from '@tanstack/react-router';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import classes from '#platform/forms/save-form.module.css';
import { Warnings } from '../status/warnings.tsx';
import { connectMutation } from './connection.queries.ts';
import { CredentialFields } from './credential-fields.tsx';
import { useSaveCredentials } from './use-save-credentials.ts';

interface CredentialsFormProps {
  teamId: string;
  integrationId: string;
  /** Settings of an earlier connection; undefined if they couldn't be fetched. */
  stored: IntegrationDetail | undefined;
}

/** Connects an integration and returns to the list. */
export function CredentialsForm({ teamId, integrationId, stored }: CredentialsFormProps) {
  const navigate = useNavigate();
  const { form, submit, isSaving, failure } = useSaveCredentials({
    stored,
    send: connectMutation({ teamId, integrationId }),
    done: 'Settings Saved Successfully',
    next: {
      label: 'Set up triggers',
      run: () => void navigate({ to: '/dashboard/triggers', state: { integrationId } }),
    },
    // The form was saved, so leaving it loses nothing.
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
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}
