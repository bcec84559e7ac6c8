import { Alert, Button, Checkbox, Group, Loader, SimpleGrid, Stack, Text } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { Integration, IntegrationDetail, testIntegration } from '@steward/contract/integrations';
import * as calls from '@steward/contract/integrations';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type CSSProperties, type FormEvent, useId, useRef } from 'react';
import { call } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showAlert, showSuccess } from '#platform/feedback/alerts.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { Icon } from '#platform/page/icon.tsx';
import { nextTask } from '#platform/tables/cached-lists.ts';
import type { ChipNote } from '#workspace/channels/channel-chips.tsx';
import { ChannelPicker } from '#workspace/channels/channel-picker.tsx';
import { type IntegrationKey, integrationQueryOptions, refreshIntegrations } from '../integrations.queries.ts';
import { getProvider } from '../providers/registry.ts';
import { Findings } from '../template/findings.tsx';
import { PlaceholderList } from '../template/placeholder-list.tsx';
import { TemplateEditor } from '../template/template-editor.tsx';
import { TemplatePreview } from '../template/template-preview.tsx';
import { TemplateProblems } from '../template/template-problems.tsx';
import { useEditor } from '../template/use-editor.ts';
import { usePreview } from '../template/use-preview.ts';
import { buildMessage, isWorthSaving, toStoredChannels, triggerBody } from './trigger.form.ts';
import type { TriggerFormState } from './use-trigger-form.ts';

const FULL_WIDTH = { '--form-width': 'none' } as CSSProperties;

interface TriggerFormProps {
  integration: Integration;
  place: IntegrationKey;
  form: TriggerFormState;
  /** The settings are undefined if they couldn't be fetched. */
  detail: IntegrationDetail | undefined;
}

export function TriggerForm({ integration, place, form, detail }: TriggerFormProps) {
  const titleId = useId();
  const { hasTicketEvents, template, placeholders, preview: texts } = getProvider(integration.code);
  const calls = useTriggerCalls(place, form);
  const preview = usePreview(place, form.values.template);
  const leaving = useDiscardPrompt(form.isUnsaved);
  const editor = useEditor();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    calls.save();
  };
  return (
    <form noValidate className={sheet.form} style={FULL_WIDTH} aria-labelledby={titleId} onSubmit={submit}>
      <Text component="h2" id={titleId} size="lg" fw={600}>
        {detail?.channel_details.length === 0 ? 'Create Triggers' : 'Trigger detail'}
      </Text>
      <div className={sheet.fields}>
        <Stack gap={20} maw={640}>
          {hasTicketEvents && <Actions form={form} />}
          <Channels teamId={place.teamId} form={form} sender={integration.name} />
        </Stack>
        <SimpleGrid type="container" cols={{ base: 1, '54rem': 2 }} spacing="lg" verticalSpacing="lg">
          <Stack gap="sm" miw={0}>
            <TemplateEditor
              editor={editor}
              texts={template}
              value={form.values.template}
              problems={preview.problems}
              error={form.errors.template}
              tools={
                placeholders.length > 0 && <PlaceholderList placeholders={placeholders} onInsert={editor.insert} />
              }
              onChange={(template) => form.edit({ template })}
            />
            <TemplateProblems editor={editor} problems={preview.problems} isStale={preview.isStale} />
          </Stack>
          <TemplatePreview preview={preview} name={integration.name} texts={texts}>
            <SendTest {...calls.test} />
          </TemplatePreview>
        </SimpleGrid>
      </div>
      <SaveBar form={form} calls={calls} isDisabled={!form.isUnsaved && !isWorthSaving(detail)} />
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

function Actions({ form: { values, errors, edit } }: { form: TriggerFormState }) {
  const chosen = [...(values.ticket_created ? ['created'] : []), ...(values.ticket_updated ? ['updated'] : [])];
  return (
    <Checkbox.Group
      label="Post a message for"
      value={chosen}
      error={errors.actions !== undefined && <span role="alert">{errors.actions}</span>}
      onChange={(now) => edit({ ticket_created: now.includes('created'), ticket_updated: now.includes('updated') })}
    >
      <Group gap="8px 24px" my={4}>
        <Checkbox value="created" label="Ticket Created" />
        <Checkbox value="updated" label="Ticket Updated" />
      </Group>
    </Checkbox.Group>
  );
}

function Channels({ teamId, form, sender }: { teamId: string; form: TriggerFormState; sender: string }) {
  const { values, states, open, errors, chooseChannels } = form;
  const notes: Record<string, ChipNote> = {
    archived: { icon: 'archive', text: "Archived – messages aren't posted" },
    missing: { icon: 'warning', text: 'No longer exists' },
  };
  const closed = values.channels.length - open.length;
  return (
    <Stack gap="xs" miw={0}>
      <ChannelPicker
        label="Channels"
        description={`Messages are posted to all of these channels by the ${sender} user.`}
        error={errors.channels}
        teamId={teamId}
        chosen={values.channels}
        getNote={({ channel_id }) => notes[states.get(channel_id) ?? '']}
        onChange={chooseChannels}
      />
      {closed > 0 && (
        <Alert color="yellow" p="xs" role="note">
          {closed === 1 ? '1 channel' : `${closed} channels`} can't receive messages and will be removed when you save.
        </Alert>
      )}
    </Stack>
  );
}

interface SaveBarProps {
  form: TriggerFormState;
  calls: ReturnType<typeof useTriggerCalls>;
  isDisabled: boolean;
}

function SaveBar({ form, calls, isDisabled }: SaveBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const reset = () => {
    form.reset();
    // The pressed button disappears.
    bar.current?.querySelector('button')?.focus();
  };
  return (
    <div ref={bar} className={sheet.foot}>
      <FocusableButton type="submit" isDisabled={isDisabled} isBusy={calls.isSaving}>
        SAVE
      </FocusableButton>
      {form.isUnsaved && (
        <Button variant="default" disabled={calls.isSaving} onClick={reset}>
          Reset
        </Button>
      )}
      <span className={sheet.note} role="status">
        {calls.isSaving ? 'Saving…' : form.isUnsaved && 'Not saved yet'}
      </span>
      {calls.failure !== undefined && <p className={sheet.failure}>{calls.failure}</p>}
    </div>
  );
}

interface SendTestProps {
  isSending: boolean;
  failure: string | undefined;
  result: Answer<typeof testIntegration> | undefined;
  onSend: () => void;
}

/** The test uses the current template, saved or not. */
function SendTest({ isSending, failure, result, onSend }: SendTestProps) {
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      <Button
        variant="default"
        // A disabled button would lose the focus.
        aria-disabled={isSending || undefined}
        aria-busy={isSending || undefined}
        leftSection={isSending ? <Loader size={16} aria-hidden="true" /> : <Icon name="play" size={16} />}
        onClick={onSend}
      >
        Send test
      </Button>
      <Text c="dimmed" size="xs">
        Posts a test message to the selected channels. Your changes aren't saved.
      </Text>
      {failure !== undefined && <Text c="var(--danger)">{failure}</Text>}
      <Stack gap={0} w="100%" role="status">
        {result !== undefined && <Result result={result} />}
      </Stack>
    </Stack>
  );
}

function Result({ result: { channels, connection_error } }: { result: Answer<typeof testIntegration> }) {
  const posts = channels.map(({ channel_id, channel_name, posted, error }) => ({
    key: channel_id,
    severity: posted ? ('none' as const) : ('error' as const),
    content: (
      <>
        <bdi>{channel_name}</bdi>: {posted ? 'Posted' : error}
      </>
    ),
  }));
  const connection = {
    key: 'connection',
    severity: connection_error === '' ? ('none' as const) : ('error' as const),
    content: connection_error === '' ? 'Deliveries can reach this server.' : connection_error,
  };
  return <Findings label="Result of the test" findings={[...posts, connection]} />;
}

/** Nothing is sent while the form is invalid. */
function useTriggerCalls(place: IntegrationKey, form: TriggerFormState) {
  const saving = useSaveTriggers(place);
  const test = useMutation(testMutation);
  const fail = (text: string) => showAlert({ kind: 'error', text });

  const save = () => {
    if (saving.isPending) return;
    saving.reset();
    const error = form.check(['actions', 'channels', 'template']);
    if (error !== undefined) return fail(error);
    const { values, edits, open } = form;
    saving.mutate(triggerBody(place.integrationId, values, open), {
      onSuccess: () => {
        form.markSaved(edits);
        showSuccess('Updated Successfully');
      },
      onError: ({ message }) => fail(message),
    });
  };
  const sendTest = () => {
    if (test.isPending) return;
    test.reset();
    const error = form.check(['channels', 'template']);
    if (error !== undefined) return fail(error);
    const body = buildMessage(form.values.template, form.open);
    test.mutate({ params: { ...place }, body }, { onError: ({ message }) => fail(message) });
  };
  return {
    save,
    isSaving: saving.isPending,
    /** The error is shown until the next attempt. */
    failure: saving.error?.message,
    test: { onSend: sendTest, isSending: test.isPending, failure: test.error?.message, result: test.data },
  };
}

function useSaveTriggers(place: IntegrationKey) {
  const client = useQueryClient();
  return useMutation<unknown, Failure, ReturnType<typeof triggerBody>>({
    mutationFn: (body) => call(calls.saveIntegration, { params: { ...place }, body }),
    onSuccess: async (_response, body) => {
      const { queryKey } = integrationQueryOptions(place);
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (detail) => detail && toStoredChannels(detail, body));
      void refreshIntegrations(client);
      // The edits must not be discarded before this is rendered, or the previous values would flash.
      await nextTask();
    },
  });
}

const testMutation = mutationOptionsFor(calls.testIntegration, { refreshes: [calls.listIntegrations] });
