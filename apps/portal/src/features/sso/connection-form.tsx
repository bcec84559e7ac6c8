import { type UseFormReturnType, useForm } from '@mantine/form';
import type { SsoConnection } from '@steward/contract/sso/connection';
import { useMutation } from '@tanstack/react-query';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { PeopleFields } from './people-fields.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { RemoveConnection } from './remove-connection.tsx';
import { type SsoValues, toSsoSettings, toSsoValues, validateSso } from './sso.form.ts';
import { savingSso } from './sso.queries.ts';
import { SwitchFields } from './switch-fields.tsx';
import { TestSection } from './test-section.tsx';

/** The form of the connection. */
export type SsoForm = UseFormReturnType<SsoValues>;

interface ConnectionFormProps {
  teamId: string;
  stored: SsoConnection;
}

/** The identity provider, in the order in which it is set up; saved as a whole. */
export function ConnectionForm({ teamId, stored }: ConnectionFormProps) {
  const form: SsoForm = useForm<SsoValues>({ initialValues: toSsoValues(stored), validate: validateSso });
  const { save, isSaving, failure } = useSaving({ teamId, stored, form });
  const isUnsaved = form.isDirty();
  const leaving = useDiscardPrompt(isUnsaved);
  const isThere = stored.id !== null;
  return (
    <form noValidate className={sheet.form} aria-label="Single Sign-On" onSubmit={save}>
      <ProviderFields form={form} stored={stored} />
      {isThere && <TestSection teamId={teamId} stored={stored} isUnsaved={isUnsaved} />}
      {isThere && <PeopleFields form={form} />}
      {isThere && <SwitchFields form={form} stored={stored} />}
      <SaveBar isUnsaved={isUnsaved} isBusy={isSaving} failure={failure} onReset={form.reset} />
      {isThere && <RemoveConnection teamId={teamId} />}
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

function useSaving({ teamId, stored, form }: ConnectionFormProps & { form: SsoForm }) {
  const { mutate, isPending, error } = useMutation(savingSso);
  const save = form.onSubmit(
    (values) =>
      mutate(
        { params: { teamId }, body: toSsoSettings(values, stored) },
        {
          onSuccess: (saved) => {
            const next = toSsoValues(saved);
            form.setInitialValues(next);
            form.setValues(next);
            showAlert({ kind: 'success', text: 'Saved Successfully' });
          },
          onError: ({ message }) => {
            const [, problem] = /^issuer: (.+)$/.exec(message) ?? [];
            if (problem !== undefined) form.setFieldError('issuer', `The issuer ${problem}.`);
          },
        },
      ),
    (errors) => form.getInputNode(Object.keys(errors)[0] as keyof SsoValues)?.focus(),
  );
  const isShownAbove = error !== null && !isPending && !error.message.startsWith('issuer: ');
  return { save, isSaving: isPending, failure: isShownAbove ? error.message : undefined };
}
