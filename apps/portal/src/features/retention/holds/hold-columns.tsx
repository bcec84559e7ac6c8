import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { Hold } from '@steward/contract/retention/holds';
import { useMemo } from 'react';
import { StateBadge } from '#platform/feedback/state-badge.tsx';
import { Quiet, SmallButton } from '#platform/page/facts.tsx';
import type { PlainColumn } from '#platform/tables/plain-table.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { describeScope, getHoldState } from './hold-text.ts';

export type HoldAction = 'edit' | 'release' | 'export';
type Open = (what: HoldAction, hold: Hold) => void;

/** Only owners can release and export. */
export function useHoldColumns(open: Open, isOwner: boolean): readonly PlainColumn<Hold>[] {
  return useMemo(() => [...COLUMNS, toActions(open, isOwner)], [open, isOwner]);
}

const COLUMNS: readonly PlainColumn<Hold>[] = [
  {
    id: 'name',
    header: 'Hold',
    width: 'minmax(0, 2.4fr)',
    cell: ({ name, reason }) => (
      <Stack gap={2}>
        <Text span inherit fw={500}>
          <bdi>{name}</bdi>
        </Text>
        <Quiet>
          <bdi>{reason}</bdi>
        </Quiet>
      </Stack>
    ),
  },
  { id: 'covers', header: 'Covers', width: 'minmax(0, 2.4fr)', cell: (hold) => <Scope hold={hold} /> },
  { id: 'held', header: 'Held', width: 'minmax(0, 1.1fr)', cell: ({ held }) => <Held held={held} /> },
  {
    id: 'since',
    header: 'Since',
    width: 'minmax(0, 1.8fr)',
    cell: ({ created_at, created_by_name, automatic }) => (
      <Stack gap={2}>
        <Timestamp at={created_at} />
        <Quiet>{automatic ? 'Restored content' : <bdi>{created_by_name}</bdi>}</Quiet>
      </Stack>
    ),
  },
  { id: 'state', header: 'State', width: 'minmax(0, 1.5fr)', cell: (hold) => <State hold={hold} /> },
];

/** Each limit of the hold has its own line. */
export function Scope({ hold }: { hold: Hold }) {
  return (
    <Stack gap={2}>
      {describeScope(hold).map((part) => (
        <span key={part}>
          <bdi>{part}</bdi>
        </span>
      ))}
    </Stack>
  );
}

export function Held({ held }: Pick<Hold, 'held'>) {
  if (held === null) return <Quiet>Counting…</Quiet>;
  return (
    <Stack gap={2}>
      <span>{formatNumber(held.count)}</span>
      {held.count > 0 && <Quiet>{formatBytes(held.bytes)}</Quiet>}
    </Stack>
  );
}

function State({ hold }: { hold: Hold }) {
  return (
    <Stack gap={2} align="flex-start">
      <StateBadge {...getHoldState(hold)} />
      {hold.release_at !== null && (
        <Quiet>
          <Timestamp at={hold.release_at} />
        </Quiet>
      )}
    </Stack>
  );
}

function toActions(open: Open, isOwner: boolean): PlainColumn<Hold> {
  return {
    id: 'actions',
    header: 'ACTIONS',
    width: isOwner ? '15rem' : '5.5rem',
    cell: (hold) => <Actions hold={hold} open={open} isOwner={isOwner} />,
  };
}

function Actions({ hold, open, isOwner }: { hold: Hold; open: Open; isOwner: boolean }) {
  const { released_at, release_at, automatic } = hold;
  const button = (what: HoldAction, label: string) => (
    <SmallButton aria-label={`${label} ${hold.name}`} onClick={() => open(what, hold)}>
      {label}
    </SmallButton>
  );
  return (
    <Stack gap={6} align="flex-start">
      {released_at === null && (
        <Group gap={8}>
          {!automatic && button('edit', release_at === null ? 'Edit' : 'Keep')}
          {isOwner && (release_at === null || automatic) && button('release', 'Release')}
          {isOwner && button('export', 'Export')}
        </Group>
      )}
      <ExportFile hold={hold} />
    </Stack>
  );
}

function ExportFile({ hold: { name, export: file } }: { hold: Hold }) {
  if (file === null) return null;
  if (file.url !== null)
    return (
      <Anchor href={file.url} download fz="0.8125rem" aria-label={`Download the export of ${name}`}>
        Download ({formatBytes(file.size)})
      </Anchor>
    );
  if (file.state === 'failed') return <StateBadge tone="danger" word="Export failed" />;
  return <StateBadge tone="info" word="Exporting" />;
}
