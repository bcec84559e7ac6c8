import { Box, Button, DataList, Group, Stack, Table, Text } from '@mantine/core';
import { NIGHT_DAYS, UNDO_DAYS } from '@steward/contract/api/limits';
import { type AuditRecord, listAuditEvents } from '@steward/contract/audit';
import { listEntries, restoreEntry } from '@steward/contract/directory';
import { getInactivity, undoInactivityNight } from '@steward/contract/users/inactivity';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { productName } from '#platform/product/product.ts';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import classes from './audit.module.css';
import { getActionText, getActor, getScreenFormat, getSource, getTarget, NOTHING } from './audit-text.ts';
import { type ChangedField, type ChangedObject, isChanged, type ReadDetails, readDetails } from './changes.ts';

interface DetailsDialogProps extends DialogControls {
  teamId: string;
  record: AuditRecord;
  onTarget: (target: string) => void;
}

export function DetailsDialog({ teamId, record, opened, onTarget, onClose }: DetailsDialogProps) {
  const { at, target, request_id, details, names, left_out } = record;
  const who = getActor(record, productName());
  const about = getTarget(record);
  return (
    <Dialog opened={opened} onClose={onClose} title={getActionText(record)} width={720}>
      <Stack gap={20}>
        <DataList orientation="vertical" className={classes.facts ?? ''}>
          <Fact term="When">
            <Timestamp at={at} />
          </Fact>
          <Fact term="Who" note={who.note}>
            <bdi>{who.name}</bdi>
          </Fact>
          <Fact term="Target" note={about.note}>
            <bdi>{about.name}</bdi>
          </Fact>
          <Fact term="Source">
            <bdi>{getSource(record)}</bdi>
          </Fact>
          <Fact term="Request">
            <Text component="code" ff="monospace" size="xs">
              {request_id}
            </Text>
          </Fact>
        </DataList>
        <ChangeTables {...readDetails(details, getScreenFormat(names))} />
        {left_out > 0 && <Text c="dimmed">{formatNumber(left_out)} more items of this change aren’t shown.</Text>}
        <Stored record={record} />
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
        <RestoreEntry teamId={teamId} record={record} onRestored={onClose} />
        <UndoNight teamId={teamId} record={record} onRestored={onClose} />
        {target !== '' && <Button onClick={() => onTarget(target)}>View all changes to this item</Button>}
      </DialogButtons>
    </Dialog>
  );
}

function Fact({ term, note = '', children }: { term: string; note?: string; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{term}</DataList.ItemLabel>
      <DataList.ItemValue>
        {children}
        {note !== '' && (
          <Text c="dimmed" size="xs">
            {note}
          </Text>
        )}
      </DataList.ItemValue>
    </DataList.Item>
  );
}

/** The stored row is shown unchanged, to copy. */
function Stored({ record }: { record: AuditRecord }) {
  const [status, setStatus] = useState('');
  const { at, actor, action, target, details, address, request_id } = record;
  const shown = {
    at: new Date(at).toISOString(),
    actor: actor?.id ?? null,
    action,
    target,
    address,
    request_id,
    details,
  };
  const text = JSON.stringify(shown, null, 2);
  const copy = async () => setStatus((await copyText(text)) ? 'Copied' : 'Your browser blocked copying.');
  return (
    <details>
      <Text component="summary" w="fit-content" mih={24} c="dimmed" fz="0.8125rem" style={{ cursor: 'pointer' }}>
        Raw data
      </Text>
      <Box
        component="section"
        mah="16rem"
        my={8}
        px="sm"
        py={10}
        bd="1px solid var(--hairline)"
        bdrs="md"
        bg="var(--surface-quiet)"
        ff="monospace"
        fz="0.75rem"
        style={{ overflow: 'auto', overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
        aria-label="Raw data"
        tabIndex={0}
      >
        {text}
      </Box>
      <Group gap="sm">
        <RowButton icon={status === 'Copied' ? 'check' : 'copy'} onClick={() => void copy()}>
          Copy
        </RowButton>
        <Text role="status" c="dimmed" size="xs">
          {status}
        </Text>
      </Group>
    </details>
  );
}

/** Browsers refuse on plain HTTP or without the user's permission. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function ChangeTables({ things, facts }: ReadDetails) {
  return (
    <>
      {things.map((thing, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stored rows never change
        <ObjectTable key={at} thing={thing} isNamed={things.length > 1 || facts.length > 0} />
      ))}
      {facts.length > 0 && (
        <Table className={classes.table ?? ''} verticalSpacing="xs" aria-label="Details">
          <Table.Tbody>
            {facts.map(({ field, value }) => (
              <Table.Tr key={field}>
                <Table.Th scope="row">{field}</Table.Th>
                <Table.Td>
                  <bdi>{value}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}

function ObjectTable({ thing: { title, fields }, isNamed }: { thing: ChangedObject; isNamed: boolean }) {
  const hasBefore = fields.some(({ before }) => before !== undefined);
  const hasAfter = fields.some(({ after }) => after !== undefined);
  const label = title === '' ? 'What changed' : title;
  return (
    <div>
      {isNamed && title !== '' && (
        <Text component="h3" fw={600} mb={4}>
          <bdi>{title}</bdi>
        </Text>
      )}
      <Table className={classes.table ?? ''} verticalSpacing="xs" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Field</Table.Th>
            {hasBefore && <Table.Th scope="col">Before</Table.Th>}
            {hasAfter && <Table.Th scope="col">After</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map((field) => (
            <FieldRow key={field.field} field={field} hasBefore={hasBefore} hasAfter={hasAfter} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function FieldRow(props: { field: ChangedField; hasBefore: boolean; hasAfter: boolean }) {
  const { field, hasBefore, hasAfter } = props;
  const changed = isChanged(field);
  const before = <bdi>{field.before}</bdi>;
  const after = <bdi>{field.after}</bdi>;
  return (
    <Table.Tr data-changed={changed || undefined} data-same={(hasBefore && hasAfter && !changed) || undefined}>
      <Table.Th scope="row">{field.field}</Table.Th>
      {hasBefore && <Table.Td>{changed && field.before !== NOTHING ? <del>{before}</del> : before}</Table.Td>}
      {hasAfter && <Table.Td>{changed ? <ins>{after}</ins> : after}</Table.Td>}
    </Table.Tr>
  );
}

const DAY_MS = 86_400_000;
const restoring = mutationOptionsFor(restoreEntry, { refreshes: [listEntries, listAuditEvents] });

const undoing = mutationOptionsFor(undoInactivityNight, { refreshes: [getInactivity, listAuditEvents] });

interface RestoreEntryProps {
  teamId: string;
  record: AuditRecord;
  onRestored: () => void;
}

/** The entry can be restored for 30 days. */
function RestoreEntry({ teamId, record, onRestored }: RestoreEntryProps) {
  const restore = useMutation(restoring);
  const { action, at, target, target_name } = record;
  if (action !== 'directory.deleted' || at < Date.now() - UNDO_DAYS * DAY_MS) return null;
  const run = () =>
    restore.mutate(
      { params: { teamId, entryId: target } },
      {
        onSuccess: () => {
          showSuccess(`${target_name} was restored.`);
          onRestored();
        },
        onError: showFailure,
      },
    );
  return (
    <Button variant="default" loading={restore.isPending} onClick={run}>
      Restore this entry
    </Button>
  );
}

/** Only owners can; the night itself knows if it was undone already. */
function UndoNight({ teamId, record, onRestored }: RestoreEntryProps) {
  const undo = useMutation(undoing);
  const { roles } = useCurrentTeam();
  const { action, at, details } = record;
  const { night, deactivated_users: deactivated = [] } = details as { night?: string; deactivated_users?: string[] };
  if (action !== 'users.inactivity_night' || night === undefined || deactivated.length === 0) return null;
  if (!roles.includes('team_owner') || at < Date.now() - NIGHT_DAYS * DAY_MS) return null;
  const run = () =>
    undo.mutate(
      { params: { teamId, night } },
      {
        onSuccess: ({ restored }) => {
          showSuccess(`${formatNumber(restored)} ${restored === 1 ? 'user' : 'users'} restored`);
          onRestored();
        },
        onError: showFailure,
      },
    );
  return (
    <Button variant="default" loading={undo.isPending} onClick={run}>
      Undo this night
    </Button>
  );
}
