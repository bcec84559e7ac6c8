import { Button } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { Link, useNavigate } from '@tanstack/react-router';
import { DiscardDialog, useLeaveQuestion } from '#platform/dialogs/discard-dialog.tsx';
import classes from '#platform/forms/save-form.module.css';
import { SteadyButton } from '#platform/forms/steady-button.tsx';
import { connecting } from '../integrations.queries.ts';
import { Warnings } from '../triggers/warnings.tsx';
import { CredentialFields } from './credential-fields.tsx';
import { useSavingCredentials } from './use-saving-credentials.ts';

interface CredentialsFormProps {
  teamId: string;
  integrationId: string;
  /** What an earlier connection has left; a failed fetch of it is none (spec §4). */
  stored: IntegrationDetail | undefined;
}

/** Connects an integration and goes back to the list (spec §2). */
export function CredentialsForm({ teamId, integrationId, stored }: CredentialsFormProps) {
  const navigate = useNavigate();
  const { form, submit, isSaving, failure } = useSavingCredentials({
    stored,
    send: connecting({ teamId, integrationId }),
    done: 'Settings Saved Successfully',
    // What was typed is saved: nothing is asked about it.
    onSaved: (warnings) => navigate({ to: '/dashboard/integrations', state: { warnings }, ignoreBlocker: true }),
  });
  const leaving = useLeaveQuestion(form.isDirty());
  return (
    <form noValidate className={classes.form} aria-label="Credentials" aria-busy={isSaving} onSubmit={submit}>
      <Warnings warnings={stored?.warnings ?? []} />
      <div className={classes.fields}>
        <CredentialFields form={form} />
      </div>
      <div className={classes.foot}>
        <SteadyButton type="submit" isOff={false} isBusy={isSaving}>
          Save
        </SteadyButton>
        <Button variant="default" component={Link} to="/dashboard/integrations" disabled={isSaving}>
          Cancel
        </Button>
        <span className={classes.note} role="status">
          {isSaving && 'Asking Zendesk. This can take a few seconds.'}
        </span>
        {failure !== undefined && <p className={classes.failure}>{failure}</p>}
      </div>
      <DiscardDialog
        opened={leaving.isAsking}
        isKept
        question="Leave without saving?"
        onKeep={leaving.stay}
        onDiscard={() => leaving.leave(form.reset)}
      />
    </form>
  );
}
