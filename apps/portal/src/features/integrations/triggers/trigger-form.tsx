import sheet from '#platform/forms/save-form.module.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox } from '@mantine/core';
import type { IntegrationDetail } from '@steward/contract/integrations';
import { type FormEvent, useId, useRef } from 'react';
import { DiscardDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
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
import classes from './triggers.module.css';
import { useTriggerCalls } from './use-trigger-calls.ts';
import type { TriggerFormState } from './use-trigger-form.ts';

interface TriggerFormProps {
  place: Place;
  form: TriggerFormState;
  /** What is stored; absent when it could not be fetched (spec §4). */
  detail: IntegrationDetail | undefined;
}

/** Which tickets become messages, where, and what they say (spec §2). */
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
    <form noValidate className={classes.form} aria-labelledby={titleId} onSubmit={submit}>
      <h2 id={titleId} className={classes.title}>
        {detail?.channel_details.length === 0 ? 'Create Triggers' : 'Trigger detail'}
      </h2>
      <div className={classes.fields}>
        <div className={classes.narrow}>
          {detail?.has_events !== false && <Actions form={form} />}
          <Channels teamId={place.teamId} form={form} sender={detail?.name ?? 'Zendesk'} />
        </div>
        <div className={classes.pair}>
          <div className={classes.writing}>
            <TemplateEditor
              editor={editor}
              isJson={detail?.has_events !== false}
              value={form.values.template}
              problems={preview.problems}
              error={form.faults.template}
              tools={detail?.has_events === false ? null : <PlaceholderList onInsert={editor.insert} />}
              onChange={(template) => form.edit({ template })}
            />
            <TemplateProblems editor={editor} problems={preview.problems} isStale={preview.isStale} />
          </div>
          <TemplatePreview preview={preview} name={detail?.name ?? 'Zendesk'}>
            <SendTest {...calls.test} />
          </TemplatePreview>
        </div>
      </div>
      <SaveBar form={form} calls={calls} isDisabled={!form.isUnsaved && !isWorthSaving(detail)} />
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

function Actions({ form: { values, faults, edit } }: { form: TriggerFormState }) {
  const id = useId();
  return (
    <fieldset className={classes.actions} aria-describedby={id}>
      <legend className={classes.legend}>Post a message for</legend>
      <div className={classes.boxes}>
        <Checkbox
          label="Ticket Created"
          checked={values.ticket_created}
          onChange={({ currentTarget }) => edit({ ticket_created: currentTarget.checked })}
        />
        <Checkbox
          label="Ticket Updated"
          checked={values.ticket_updated}
          onChange={({ currentTarget }) => edit({ ticket_updated: currentTarget.checked })}
        />
      </div>
      <p id={id} role="alert" className={classes.fault}>
        {faults.actions}
      </p>
    </fieldset>
  );
}

function Channels({ teamId, form, sender }: { teamId: string; form: TriggerFormState; sender: string }) {
  const { values, states, open, faults, chooseChannels } = form;
  const notes: Record<string, ChipNote> = {
    archived: { icon: 'archive', text: "Archived – messages aren't posted" },
    missing: { icon: 'warning', text: 'No longer exists' },
  };
  const closed = values.channels.length - open.length;
  return (
    <div className={classes.channels}>
      <ChannelPicker
        label="Channels"
        description={`Messages are posted to all of these channels by the ${sender} user.`}
        error={faults.channels}
        teamId={teamId}
        chosen={values.channels}
        getNote={({ channel_id }) => notes[states.get(channel_id) ?? '']}
        onChange={chooseChannels}
      />
      {closed > 0 && (
        <p className={classes.closed}>
          {closed === 1 ? '1 channel' : `${closed} channels`} can't receive messages and will be removed when you save.
        </p>
      )}
    </div>
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
    // The button that was pressed goes away with what it was for.
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
