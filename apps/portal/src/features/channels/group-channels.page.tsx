import { Alert, Button, Group, Loader, Stack, Table, Text } from '@mantine/core';
import { GROUP_CHANNELS_MAX, PAGE_ROWS_MAX } from '@steward/contract/api/limits';
import {
  type ChannelGroup,
  listChannelGroups,
  previewChannelGroup,
  saveChannelGroup,
} from '@steward/contract/channels/groups';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type FormEvent, useMemo, useRef, useState } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { mutationOptionsFor, pollWhile, queryOptionsFor } from '#platform/api/queries.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { ProgressBar } from '#platform/feedback/progress.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import type { ChosenChannel } from '#workspace/channels/channel-choice.ts';
import { ChannelPicker } from '#workspace/channels/channel-picker.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/group_channels')({
  component: GroupChannelsPage,
});

const TITLE = 'Group Channels';
const HISTORY = ['channels.group_saved', 'channels.groups_applied'] as const;
const RUN_POLL_MS = 1_500;

function groupsQueryOptions(teamId: string) {
  const options = queryOptionsFor(listChannelGroups, {
    params: { teamId },
    query: { limit: String(PAGE_ROWS_MAX) },
  });
  return {
    ...options,
    refetchInterval: pollWhile(({ run }: { run: { state: string } | null }) => run?.state === 'running', RUN_POLL_MS),
  };
}

const saving = mutationOptionsFor(saveChannelGroup, { refreshes: [listChannelGroups] });

function GroupChannelsPage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE}>
      <EmptyState icon="hash" title="Only owners can map groups to channels">
        An owner of the team chooses the channels that the members of a group of the identity provider join.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(groupsQueryOptions(teamId));
  const [editing, setEditing] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const group = data?.records.find((each) => each.id === editing);
  const close = () => {
    setEditing(undefined);
    requestAnimationFrame(() => list.current?.querySelector('button')?.focus());
  };
  return (
    <Page
      title={TITLE}
      description="Members of a group of your identity provider join the channels that you choose for it."
      actions={<HistoryLink actions={HISTORY} />}
    >
      {data === undefined && error === null && <Skeletons rows={4} height={52} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data?.records.length === 0 && <NoGroups />}
      {data?.run?.state === 'running' && (
        <ProgressBar label="Adding and removing members" value={data.run.people_done} max={data.run.people_total} />
      )}
      {group !== undefined && <GroupForm key={group.id} teamId={teamId} group={group} onClose={close} />}
      {data !== undefined && data.records.length > 0 && group === undefined && (
        <div ref={list}>
          <GroupTable groups={data.records} onEdit={({ id }) => setEditing(id)} />
        </div>
      )}
      {data !== undefined && data.last_key !== null && (
        <Text c="dimmed">The first {formatNumber(data.records.length)} groups are shown.</Text>
      )}
    </Page>
  );
}

function NoGroups() {
  return (
    <EmptyState icon="hash" title="No groups">
      Your identity provider hasn’t sent any groups. Set up provisioning, and let it push the groups whose members
      should be in the same channels.
    </EmptyState>
  );
}

function GroupTable({ groups, onEdit }: { groups: readonly ChannelGroup[]; onEdit: (group: ChannelGroup) => void }) {
  const columns = useMemo(() => [...COLUMNS, toActions(onEdit)], [onEdit]);
  return <PlainTable label="Groups" columns={columns} rows={groups} rowId={({ id }) => id} />;
}

const COLUMNS: readonly PlainColumn<ChannelGroup>[] = [
  {
    id: 'name',
    header: 'Group',
    width: 'minmax(0, 2fr)',
    cell: ({ name }) => (
      <Text span inherit fw={500}>
        <bdi>{name}</bdi>
      </Text>
    ),
  },
  { id: 'members', header: 'Members', width: '7rem', cell: ({ members }) => formatNumber(members) },
  {
    id: 'channels',
    header: 'Channels',
    width: 'minmax(0, 3fr)',
    cell: ({ channels }) =>
      channels.length === 0 ? (
        <Text span inherit c="dimmed">
          None
        </Text>
      ) : (
        <bdi>{channels.map(describeChannel).join(', ')}</bdi>
      ),
  },
];

const describeChannel = ({ channel_name, archived }: ChannelGroup['channels'][number]) =>
  archived ? `${channel_name} (archived)` : channel_name;

function toActions(onEdit: (group: ChannelGroup) => void): PlainColumn<ChannelGroup> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: '7.5rem',
    cell: (group) => (
      <RowButton aria-label={`Choose channels of ${group.name}`} onClick={() => onEdit(group)}>
        Channels
      </RowButton>
    ),
  };
}

interface GroupFormProps {
  teamId: string;
  group: ChannelGroup;
  onClose: () => void;
}

const toIds = (channels: readonly ChosenChannel[]) => channels.map(({ channel_id }) => channel_id);

function GroupForm({ teamId, group, onClose }: GroupFormProps) {
  const [stored] = useState(() => group.channels.map((channel): ChosenChannel => ({ ...channel, general: false })));
  const [chosen, setChosen] = useState<readonly ChosenChannel[]>(stored);
  const [isConfirming, setConfirming] = useState(false);
  const isChanged = toIds(chosen).toSorted().join() !== toIds(stored).toSorted().join();
  const leaving = useDiscardPrompt(isChanged);
  const archived = new Set(group.channels.filter((channel) => channel.archived).map(({ channel_id }) => channel_id));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) setConfirming(true);
  };
  return (
    <form noValidate aria-label={`Channels of ${group.name}`} onSubmit={submit}>
      <Stack gap="md" maw={640}>
        <ChannelPicker
          label={`Channels of ${group.name}`}
          description="Public channels, and private ones that you are in. A private channel announces who joined."
          error={chosen.length > GROUP_CHANNELS_MAX ? `Choose at most ${GROUP_CHANNELS_MAX} channels.` : undefined}
          teamId={teamId}
          chosen={chosen}
          getNote={({ channel_id }) =>
            archived.has(channel_id) ? { icon: 'archive', text: 'Archived – its members don’t change' } : undefined
          }
          onChange={(wanted) => setChosen(wanted.filter(({ general }) => !general))}
        />
        <Group gap={8}>
          <Button type="submit" disabled={!isChanged || chosen.length > GROUP_CHANNELS_MAX}>
            Review and Save
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Group>
      </Stack>
      {isConfirming && (
        <EffectDialog
          teamId={teamId}
          group={group}
          chosen={chosen}
          onClose={() => setConfirming(false)}
          onSaved={() => {
            setChosen(stored);
            onClose();
          }}
        />
      )}
      <LeaveDialog leaving={leaving} onDiscard={() => setChosen(stored)} />
    </form>
  );
}

interface EffectDialogProps {
  teamId: string;
  group: ChannelGroup;
  chosen: readonly ChosenChannel[];
  onClose: () => void;
  onSaved: () => void;
}

/** Cancel has the focus, so that an accidental Enter does nothing. */
function EffectDialog({ teamId, group, chosen, onClose, onSaved }: EffectDialogProps) {
  const body = { group_id: group.id, channel_ids: toIds(chosen) };
  const counting = useQuery({
    ...queryOptionsFor(previewChannelGroup, { params: { teamId }, body }),
    staleTime: 0,
    gcTime: 0,
  });
  const save = useChangeWithKey(saving);
  const confirm = () =>
    save.mutate(
      { params: { teamId }, body },
      {
        onSuccess: () => {
          showSuccess('Saved Successfully');
          onSaved();
        },
        onError: showFailure,
      },
    );
  const { data, error, isFetching } = counting;
  const effect = isFetching && !save.isPending ? undefined : data;
  return (
    <Dialog opened onClose={onClose} title={`Channels of ${group.name}`} width={520} closable={!save.isPending}>
      {effect !== undefined && <Effect channels={effect.channels} />}
      {effect === undefined && isFetching && (
        <Group role="status" gap="xs" c="dimmed">
          <Loader size={16} aria-hidden="true" /> Counting members…
        </Group>
      )}
      {effect === undefined && !isFetching && error !== null && (
        <Alert color="red" variant="light" role="alert">
          Couldn’t count the members: {getFailureMessage(error)} Nothing was saved.
        </Alert>
      )}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={save.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={effect === undefined} loading={save.isPending} onKeyDown={ignoreRepeat} onClick={confirm}>
          Save
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

type EffectOfChannel = { channel_id: string; channel_name: string; joining: number; leaving: number };

function Effect({ channels }: { channels: readonly EffectOfChannel[] }) {
  const changed = channels.filter(({ joining, leaving }) => joining + leaving > 0);
  if (changed.length === 0) return <Text c="dimmed">This doesn’t change who is in a channel now.</Text>;
  return (
    <Stack gap="sm" className="figures">
      <Table verticalSpacing="xs" aria-label="Who joins and leaves">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Channel</Table.Th>
            <Table.Th scope="col" ta="end">
              Join
            </Table.Th>
            <Table.Th scope="col" ta="end">
              Leave
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {changed.map(({ channel_id, channel_name, joining, leaving }) => (
            <Table.Tr key={channel_id}>
              <Table.Th scope="row" fw={400}>
                <bdi>{channel_name}</bdi>
              </Table.Th>
              <Table.Td ta="end">{formatNumber(joining)}</Table.Td>
              <Table.Td ta="end">{formatNumber(leaving)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text c="dimmed">
        People leave a channel only if a group had added them; members who joined it in another way stay. Members are
        added and removed in the background.
      </Text>
    </Stack>
  );
}
