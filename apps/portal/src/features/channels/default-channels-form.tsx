import { Alert } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import type { ChipNote } from '#workspace/channels/channel-chips.tsx';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { ChannelPicker } from '#workspace/channels/channel-picker.tsx';
import { AddExisting } from './add-existing.tsx';
import { AddExistingDialog } from './add-existing-dialog.tsx';
import { GENERAL_REQUIRED, type Stored, TOO_MANY } from './default-channels.form.ts';
import { JoinProgress } from './join-progress.tsx';
import { useSaving } from './use-saving.ts';
import { useSelection } from './use-selection.ts';

interface DefaultChannelsFormProps {
  teamId: string;
  stored: Stored;
}

/** Chooses the channels that new members join, and whether current members are added too. */
export function DefaultChannelsForm({ teamId, stored }: DefaultChannelsFormProps) {
  const form = useSelection(stored);
  const { selection, addExisting, missing, isUnsaved } = form;
  const saving = useSaving({ teamId, stored, selection, addExisting, onSaved: form.markSaved });
  const leaving = useDiscardPrompt(isUnsaved);
  const bar = useRef<HTMLDivElement>(null);
  const focusSave = () => bar.current?.querySelector('button')?.focus();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    saving.save();
  };
  return (
    <form noValidate className={sheet.form} aria-label="Default Channels" onSubmit={submit}>
      <div className={sheet.fields}>
        <ChannelPicker
          label="Channels"
          description="Choose public or private channels."
          error={form.isRefused ? TOO_MANY : undefined}
          teamId={teamId}
          chosen={selection}
          getNote={(channel) => getNote(channel, stored)}
          getLockReason={({ general }) => (general ? GENERAL_REQUIRED : undefined)}
          onChange={form.choose}
        />
        {missing.length > 0 && <MissingNotice count={missing.length} />}
        <AddExisting teamId={teamId} stored={stored} isEnabled={addExisting} onToggle={form.setAddExisting} />
      </div>
      <JoinProgress teamId={teamId} />
      <SaveBar
        bar={bar}
        isUnsaved={isUnsaved}
        canSave={isUnsaved || missing.length > 0}
        isBusy={saving.isSaving}
        failure={saving.failure}
        onReset={form.reset}
      />
      <AddExistingDialog {...{ teamId, selection, saving }} onClosed={focusSave} />
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

function getNote({ channel_id, type }: ChosenChannel, stored: Stored): ChipNote | undefined {
  if (type === null) return { icon: 'warning', text: 'No longer exists' };
  const state = stored.find((channel) => channel.channel_id === channel_id)?.state;
  return state === 'archived' ? { icon: 'archive', text: 'Archived – new members won’t join' } : undefined;
}

function MissingNotice({ count }: { count: number }) {
  return (
    <Alert color="yellow" variant="light" p="xs" mt={-8} role="note">
      {count === 1
        ? '1 channel no longer exists and will be removed when you save.'
        : `${count} channels no longer exist and will be removed when you save.`}
    </Alert>
  );
}
