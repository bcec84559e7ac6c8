import { Box, Button, Code, Group, Stack, Text } from '@mantine/core';
import { SCIM_BASE, type ScimLogEntry } from '@steward/contract/scim';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId, useMemo, useRef, useState } from 'react';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { RowButton } from '#platform/forms/row-button.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { LogTable } from '#platform/tables/log-table.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { logQueryOptions } from './provisioning.queries.ts';

const KINDS: Readonly<Record<string, string>> = { Users: 'user', Groups: 'group' };
const VERBS: Readonly<Record<string, string>> = {
  POST: 'Add',
  PUT: 'Replace',
  PATCH: 'Change',
  DELETE: 'Remove',
  GET: 'Read',
};

/** The result looks like `Change a user`. */
export function getCallTitle({ method, path }: Pick<ScimLogEntry, 'method' | 'path'>): string {
  const [pathname = ''] = path.split('?');
  const [kind = '', id = ''] = pathname.slice(SCIM_BASE.length + 1).split('/');
  const noun = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (noun === undefined) return `${method} ${pathname}`;
  if (id === '.search' || (method === 'GET' && id === '')) return `List ${noun}s`;
  return `${VERBS[method] ?? method} a ${noun}`;
}

export function getCallState({ status }: Pick<ScimLogEntry, 'status'>): { word: string; tone: Tone } {
  if (status >= 500) return { word: 'Failed', tone: 'danger' };
  return status >= 400 ? { word: 'Refused', tone: 'warning' } : { word: 'Done', tone: 'success' };
}

/** A body that was cut isn't valid JSON and is shown as it is. */
export function formatBody(request: string): string {
  try {
    return JSON.stringify(JSON.parse(request), null, 2);
  } catch {
    return request;
  }
}

const FILTERS = [
  { value: 'all', label: 'All' },
  { value: 'failed', label: 'Refused' },
] as const;

export function LogSection({ teamId }: { teamId: string }) {
  const id = useId();
  const [filter, setFilter] = useState<'all' | 'failed'>('all');
  const list = useInfiniteQuery(logQueryOptions(teamId, filter === 'failed'));
  const heading = useRef<HTMLHeadingElement>(null);
  const { current, open, close } = useDialogState<'call', ScimLogEntry>('call', heading);
  const columns = useMemo(() => toColumns((call) => open('call', call)), [open]);
  return (
    <Stack component="section" gap="sm" miw={0} aria-labelledby={id}>
      <Group justify="space-between" gap="xs">
        <Text component="h2" id={id} ref={heading} tabIndex={-1} size="lg" fw={600}>
          What was sent
        </Text>
        <Box w="9rem">
          <PickOne label="Show calls" className={undefined} options={FILTERS} value={filter} onPick={setFilter} />
        </Box>
      </Group>
      <LogTable
        label="Provisioning calls"
        noun="calls"
        list={list}
        columns={columns}
        empty={<NoCalls isFiltered={filter === 'failed'} />}
      />
      {current.about !== null && (
        <CallDialog key={current.time} call={current.about} opened={current.opened} onClose={close} />
      )}
    </Stack>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState icon="swap" title={isFiltered ? 'Nothing was refused' : 'Nothing was sent yet'}>
      {isFiltered
        ? 'All calls of the last 30 days succeeded. Choose “All” to see them.'
        : 'Changes that the identity provider sends appear here for 30 days, with their result.'}
    </EmptyState>
  );
}

function toColumns(onOpen: (call: ScimLogEntry) => void): readonly PlainColumn<ScimLogEntry>[] {
  return [
    { id: 'when', header: 'When', width: 'minmax(0, 1.6fr)', cell: ({ at }) => <Timestamp at={at} /> },
    { id: 'request', header: 'Request', width: 'minmax(0, 1.6fr)', cell: (call) => getCallTitle(call) },
    {
      id: 'result',
      header: 'Result',
      width: 'minmax(0, 4fr)',
      cell: (call) => (
        <Group gap="4px 8px" wrap="nowrap" align="start">
          <StateBadge {...getCallState(call)} />
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            <bdi>{call.effect}</bdi>
          </Text>
        </Group>
      ),
    },
    {
      id: 'actions',
      header: 'ACTIONS',
      width: '7rem',
      cell: (call) => (
        <RowButton aria-label={`Details of ${getCallTitle(call)}`} onClick={() => onOpen(call)}>
          Details
        </RowButton>
      ),
    },
  ];
}

interface CallDialogProps extends DialogControls {
  call: ScimLogEntry;
}

function CallDialog({ call, opened, onClose }: CallDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={getCallTitle(call)} width={720}>
      <Stack gap="sm" miw={0}>
        <Group gap="4px 12px">
          <StateBadge {...getCallState(call)} />
          <Timestamp at={call.at} />
          <Text span c="dimmed" size="xs">
            Status {call.status}
          </Text>
        </Group>
        <Text style={{ overflowWrap: 'anywhere' }}>
          <bdi>{call.effect}</bdi>
        </Text>
        <Block title="Request" text={`${call.method} ${call.path}`} />
        {call.request !== '' && <Block title="Body, without passwords" text={formatBody(call.request)} />}
        <Text c="dimmed" size="xs">
          Request id <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{call.request_id}</span>
        </Text>
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Block({ title, text }: { title: string; text: string }) {
  return (
    <Stack gap={6}>
      <Text component="h3" c="dimmed" size="xs" fw={500}>
        {title}
      </Text>
      {/* This is focusable, so that long text can be scrolled by keyboard. */}
      <Code
        block
        role="region"
        aria-label={title}
        tabIndex={0}
        mah="18rem"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {text}
      </Code>
    </Stack>
  );
}
