import { Box, Button, Group, Loader, Stack, Table, Text } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { previewDefaultChannels } from '@steward/contract/channels/defaults';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { formatNumber } from '#platform/time/format.ts';
import { getPreview } from './channels.queries.ts';
import { getIds, type Selection } from './default-channels.form.ts';

type Preview = Answer<typeof previewDefaultChannels>;

interface AddExistingDialogProps {
  teamId: string;
  selection: Selection;
  saving: { isConfirming: boolean; isSaving: boolean; confirm: () => void; cancel: () => void };
  onClosed: () => void;
}

/** Cancel has the focus, so that an accidental Enter does nothing. */
export function AddExistingDialog({ teamId, selection, saving, onClosed }: AddExistingDialogProps) {
  const { isConfirming, isSaving, confirm, cancel } = saving;
  // The members are counted again each time the dialog opens.
  const counting = useQuery({
    ...getPreview(teamId, getIds(selection)),
    enabled: isConfirming && !isSaving,
    staleTime: 0,
    gcTime: 0,
  });
  const { error, isFetching, refetch } = counting;
  const preview = isFetching && !isSaving ? undefined : counting.data;
  useClosed(isConfirming, onClosed);
  return (
    <Dialog
      opened={isConfirming}
      onClose={cancel}
      title="Add members"
      width={520}
      closable={!isSaving}
      returnFocus={false}
    >
      {preview !== undefined && <Forecast preview={preview} selection={selection} />}
      {preview === undefined && isFetching && (
        <Group role="status" gap="xs" c="dimmed">
          <Loader size={16} aria-hidden="true" /> Counting members…
        </Group>
      )}
      {preview === undefined && !isFetching && error !== null && (
        <Text c="var(--danger)" role="alert">
          Couldn’t count the members: {getFailureMessage(error)} Nothing was saved.
        </Text>
      )}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={isSaving} onClick={cancel}>
          Cancel
        </Button>
        {error !== null && !isFetching && <Button onClick={() => void refetch()}>Retry</Button>}
        {(error === null || isFetching) && (
          <Button disabled={preview === undefined} loading={isSaving} onKeyDown={ignoreRepeat} onClick={confirm}>
            {preview?.people === 0 ? 'Save' : 'Save and add members'}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

/** The focus is returned manually, because a key press in a field may have opened the dialog. */
function useClosed(isOpen: boolean, onClosed: () => void) {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) onClosed();
    wasOpen.current = isOpen;
  });
}

function Forecast({ preview: { people, of_people, channels }, selection }: { preview: Preview; selection: Selection }) {
  if (people === 0) {
    return <Text c="dimmed">Everyone is already in these channels. No one will be added.</Text>;
  }
  const names = new Map(selection.map(({ channel_id, channel_name }) => [channel_id, channel_name]));
  const joined = channels.filter(({ joining }) => joining > 0);
  const others = channels.length - joined.length;
  return (
    <Stack gap="sm" className="figures">
      <Text fw={500}>
        Add {formatNumber(people)} of {formatMemberCount(of_people)} to these channels?
      </Text>
      <Box
        component="section"
        mah="min(16rem, 40dvh)"
        bd="1px solid var(--hairline)"
        bdrs="md"
        style={{ overflowY: 'auto' }}
        aria-label="Members to add"
        tabIndex={0}
      >
        <Table verticalSpacing="xs" aria-label="Members to add">
          <Table.Tbody>
            {joined.map(({ channel_id, type, joining }) => (
              <Table.Tr key={channel_id}>
                <Table.Th scope="row" fw={400}>
                  <bdi>{names.get(channel_id)}</bdi>
                  {type === 'P' && <span className={sheet.note}> Private</span>}
                </Table.Th>
                <Table.Td c="dimmed" ta="end" style={{ whiteSpace: 'nowrap' }}>
                  {formatMemberCount(joining)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {others > 0 && (
        <Text c="dimmed">
          No one will be added to {others === 1 ? 'the other channel' : `the other ${others} channels`}.
        </Text>
      )}
      <Text c="dimmed">
        They’re added in the background; you can leave this page. Members can leave a channel later.{' '}
        <Text span fw={500} c="var(--mantine-color-text)">
          Removing a channel from this list later won’t remove anyone from it.
        </Text>
      </Text>
    </Stack>
  );
}

function formatMemberCount(count: number): string {
  return count === 1 ? '1 member' : `${formatNumber(count)} members`;
}
