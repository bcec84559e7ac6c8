import { Alert, Box, Checkbox, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { createIdempotencyKeys } from '#platform/api/idempotency-key.ts';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import classes from '#platform/forms/save-form.module.css';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import type { ChipNote } from '#workspace/channels/channel-chips.tsx';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { ChannelPicker } from '#workspace/channels/channel-picker.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AddExistingDialog } from './add-existing-dialog.tsx';
import {
  channelJoinQueryOptions,
  defaultChannelsQueryOptions,
  getPreview,
  useSaveDefaultChannels,
} from './channels.queries.ts';
import {
  applySelection,
  differsFromStored,
  GENERAL_REQUIRED,
  getIds,
  getMissingChannels,
  isTooMany,
  type Selection,
  type Stored,
  TOO_MANY,
} from './default-channels.form.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/default_channels')({
  component: DefaultChannelsPage,
});

function DefaultChannelsPage() {
  const team = useCurrentTeam();
  const { data, error, refetch } = useQuery(defaultChannelsQueryOptions(team.id));
  return (
    <Page
      title="Default Channels"
      description={`New members of ${team.display_name} join these channels automatically.`}
      actions={<HistoryLink actions={['channels.defaults_saved', 'channels.people_added']} />}
    >
      {data !== undefined && <DefaultChannelsForm teamId={team.id} stored={data.default_channels} />}
      {data === undefined && error === null && (
        <div className={classes.form} aria-busy="true">
          <Skeletons rows={1} height={202} />
          <div className={classes.foot}>
            <Skeletons rows={1} height={36} width="4.5rem" />
          </div>
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

interface DefaultChannelsFormProps {
  teamId: string;
  stored: Stored;
}

function DefaultChannelsForm({ teamId, stored }: DefaultChannelsFormProps) {
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
      <AddExistingDialog teamId={teamId} selection={selection} saving={saving} onClosed={focusSave} />
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

interface AddExistingProps {
  teamId: string;
  stored: Stored;
  isEnabled: boolean;
  onToggle: (isEnabled: boolean) => void;
}

function AddExisting({ teamId, stored, isEnabled, onToggle }: AddExistingProps) {
  // Everyone is already in General, so this only counts the members.
  const general = stored.filter((channel) => channel.general).map(({ channel_id }) => channel_id);
  const people = useQuery(getPreview(teamId, general)).data?.of_people;
  const isJoining = useQuery(channelJoinQueryOptions(teamId)).data?.join?.state === 'running';
  return (
    <Checkbox
      label={getLabel(people)}
      description={
        isJoining
          ? 'Members are being added right now. You can add them again after that.'
          : 'Otherwise only people who join the team later are added.'
      }
      checked={isEnabled}
      disabled={isJoining && !isEnabled}
      onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
    />
  );
}

function getLabel(people: number | undefined): string {
  if (people === undefined) return 'Also add the current members';
  if (people === 1) return 'Also add the 1 current member';
  return `Also add the ${formatNumber(people)} current members`;
}

interface UseSavingOptions {
  teamId: string;
  stored: Stored;
  selection: Selection;
  addExisting: boolean;
  onSaved: (selection: Selection) => void;
}

/** Adding current members requires confirmation; other changes are saved immediately. */
function useSaving({ teamId, stored, selection, addExisting, onSaved }: UseSavingOptions) {
  const saving = useSaveDefaultChannels(teamId, stored);
  const [isConfirming, setConfirming] = useState(false);
  const [idempotencyKeyFor, setIdempotencyKeyFor] = useState(createIdempotencyKeys);
  const send = () => {
    const idempotencyKey = idempotencyKeyFor({ ids: getIds(selection), addExisting });
    saving.mutate(
      { selection, addExisting, idempotencyKey },
      {
        onSuccess: () => {
          onSaved(selection);
          // Saving the same selection again later is a new change, not a retry of this one.
          setIdempotencyKeyFor(() => createIdempotencyKeys());
          showSuccess('Saved Successfully');
        },
        onError: showFailure,
        onSettled: () => setConfirming(false),
      },
    );
  };
  return {
    save: () => {
      saving.reset();
      if (addExisting) setConfirming(true);
      else send();
    },
    confirm: send,
    isConfirming,
    cancel: () => setConfirming(false),
    isSaving: saving.isPending,
    /** The error stays next to the form until the next attempt. */
    failure: saving.error?.message,
  };
}

/** Until it is edited, the selection follows the stored channels. */
function useSelection(stored: Stored) {
  const [chosen, setChosen] = useState<Selection>();
  const [addExisting, setAddExisting] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const selection: Selection = chosen ?? stored;
  return {
    selection,
    addExisting,
    setAddExisting,
    isRefused,
    missing: getMissingChannels(selection),
    isUnsaved: addExisting || differsFromStored(selection, stored),
    choose: (wanted: Selection) => {
      setChosen(applySelection(selection, wanted));
      setRefused(isTooMany(selection, wanted));
    },
    reset: () => {
      setChosen(undefined);
      setAddExisting(false);
      setRefused(false);
    },
    /** Edits after the request was sent are kept. */
    markSaved: (sent: Selection) => {
      setChosen((now) => (now === sent ? undefined : now));
      setAddExisting(false);
    },
  };
}

function JoinProgress({ teamId }: { teamId: string }) {
  const join = useQuery(channelJoinQueryOptions(teamId)).data?.join;
  return (
    <Box mt={join === undefined || join === null ? -16 : 0}>
      {join?.state === 'running' && (
        <ProgressBar label="Adding members" value={join.people_done} max={join.people_total} />
      )}
      {/* This is always rendered, so that screen readers announce the result, but not every step. */}
      <Text role="status" c="dimmed" fz="0.8125rem" className="figures">
        {join?.state === 'done' && (
          <>
            Added {formatNumber(join.joined)} {join.joined === 1 ? 'membership' : 'memberships'}
            {join.ended_at !== null && (
              <>
                , <Timestamp at={join.ended_at} />
              </>
            )}
          </>
        )}
      </Text>
    </Box>
  );
}
