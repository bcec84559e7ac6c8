import { Alert, Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { type CSSProperties, type FormEvent, useId, useRef } from 'react';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import sheet from '#platform/forms/save-form.module.css';
import type { ChipNote } from '#workspace/channels/channel-chips.tsx';
import { ChannelPicker } from '#workspace/channels/channel-picker.tsx';
import type { Place } from '../integrations.queries.ts';
import { PlaceholderList } from '../template/placeholder-list.tsx';
import { TemplateEditor } from '../template/template-editor.tsx';
import { TemplatePreview } from '../template/template-preview.tsx';
import { TemplateProblems } from '../template/template-problems.tsx';
import { useEditor } from '../template/use-editor.ts';
import { usePreview } from '../template/use-preview.ts';
import { SendTest } from './send-test.tsx';
import { isWorthSaving } from './trigger.form.ts';
import { useTriggerCalls } from './use-trigger-calls.ts';
import type { TriggerFormState } from './use-trigger-form.ts';

const FULL_WIDTH = { '--form-width': 'none' } as CSSProperties;

interface TriggerFormProps {
  place: Place;
  form: TriggerFormState;
  /** The stored settings; undefined if they couldn't be fetched. */
  detail: IntegrationDetail | undefined;
}

/** Which tickets are posted, where, and the template of the message. */
export function TriggerForm({ place, form, detail }: TriggerFormProps) {
  const titleId = useId();
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
          {detail?.has_events !== false && <Actions form={form} />}
          <Channels teamId={place.teamId} form={form} sender={detail?.name ?? 'Zendesk'} />
        </Stack>
        <SimpleGrid type="container" cols={{ base: 1, '54rem': 2 }} spacing="lg" verticalSpacing="lg">
          <Stack gap="sm" miw={0}>
            <TemplateEditor
              editor={editor}
              isJson={detail?.has_events !== false}
              value={form.values.template}
              problems={preview.problems}
              error={form.errors.template}
              tools={detail?.has_events === false ? null : <PlaceholderList onInsert={editor.insert} />}
              onChange={(template) => form.edit({ template })}
            />
            <TemplateProblems editor={editor} problems={preview.problems} isStale={preview.isStale} />
          </Stack>
          <TemplatePreview preview={preview} name={detail?.name ?? 'Zendesk'}>
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
