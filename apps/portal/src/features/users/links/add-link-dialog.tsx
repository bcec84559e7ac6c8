import { Button, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { Answer } from '@steward/contract/api/endpoint';
import { LINK_NAME_MAX, LINK_USES_MAX } from '@steward/contract/api/limits';
import type { addInvitationLink } from '@steward/contract/users/invitation-links';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure } from '#platform/feedback/alerts.tsx';
import { CopyField } from '#platform/forms/copy-field.tsx';
import { FormDialog } from '#platform/forms/form-dialog.tsx';
import { QrCode } from '#platform/forms/qr-code.tsx';
import { formatMoment, formatNumber } from '#platform/time/format.ts';
import { EndDateField } from '../end-date-field.tsx';
import { ENDS, type LinkValues, NEW_LINK, toLinkBody, toLinkErrors, validateLink } from './links.form.ts';
import { adding } from './links.queries.ts';

interface AddLinkDialogProps extends DialogControls {
  team: { id: string; display_name: string };
}

/** The link is shown only once. The dialog is mounted anew for each opening. */
export function AddLinkDialog({ team, opened, onClose }: AddLinkDialogProps) {
  const form = useForm({ initialValues: NEW_LINK, validate: validateLink });
  const add = useChangeWithKey(adding);
  if (add.data !== undefined) return <NewLink link={add.data} team={team} opened={opened} onClose={onClose} />;
  const save = (values: LinkValues) => {
    add.mutate(
      { params: { teamId: team.id }, body: toLinkBody(values) },
      {
        onError: ({ id, message }) => {
          form.setErrors(id === 'users.end_out_of_range' ? { endsOn: message } : toLinkErrors(message));
          showFailure({ message });
        },
      },
    );
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Create Link"
      submitLabel="Create Link"
      isDirty={form.isDirty()}
      isSaving={add.isPending}
      failure={add.error?.message}
      onSubmit={form.onSubmit(save, (errors) => form.getInputNode(Object.keys(errors)[0] ?? '')?.focus())}
    >
      <LinkFields form={form} />
      <Text c="dimmed" size="xs">
        People join as Team Users. The link also stops when you are no longer an admin.
      </Text>
    </FormDialog>
  );
}

function LinkFields({ form }: { form: UseFormReturnType<LinkValues> }) {
  return (
    <>
      <TextInput
        label="Name"
        description="What it is for, such as Spring workshop. Only admins see it."
        data-autofocus
        maxLength={LINK_NAME_MAX}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      <NativeSelect label="Ends" data={ENDS} {...form.getInputProps('hours')} />
      <NumberInput
        label="People who can join"
        description={`From 1 to ${LINK_USES_MAX}.`}
        required
        withAsterisk={false}
        allowDecimal={false}
        allowNegative={false}
        hideControls
        inputMode="numeric"
        {...form.getInputProps('maxUses')}
      />
      <TextInput
        label="Email domains"
        description="Only addresses of these domains, such as example.com. Leave it empty for any address."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('domains')}
      />
      <EndDateField label="End date of those who join" {...form.getInputProps('endsOn')} />
    </>
  );
}

interface NewLinkProps extends DialogControls {
  link: Answer<typeof addInvitationLink>;
  team: { display_name: string };
}

/** The link can't be read again later, so a click outside the dialog must not close it. */
function NewLink({ link, team, opened, onClose }: NewLinkProps) {
  const { url, max_uses, domains, expires_at } = link;
  return (
    <Dialog opened={opened} onClose={onClose} title="Copy the link now" width={520} closable={false}>
      <Stack gap="md">
        <Text>
          {max_uses === 1 ? 'One person' : `Up to ${formatNumber(max_uses)} people`}
          {domains.length > 0 && ' with an address of '}
          {domains.length > 0 && <bdi>{domains.join(' or ')}</bdi>} can join <bdi>{team.display_name}</bdi> with it
          until {formatMoment(expires_at)}. Copy it now: you won’t be able to see it again.
        </Text>
        <QrCode text={url} label="QR code of the link" />
        <div>
          <CopyField label="Link" value={url} isFirst />
        </div>
      </Stack>
      <DialogButtons>
        <Button onClick={onClose}>Done</Button>
      </DialogButtons>
    </Dialog>
  );
}
