import { Group, Stack } from '@mantine/core';
import type { RetentionRun, RunState } from '@steward/contract/retention';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { Quiet } from '#platform/page/facts.tsx';
import { formatBytes, formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';

const STATES: Readonly<Record<RunState, { word: string; tone: Tone }>> = {
  running: { word: 'Running', tone: 'active' },
  finished: { word: 'Finished', tone: 'quiet' },
  stopped: { word: 'Stopped', tone: 'warning' },
  refused: { word: 'Skipped', tone: 'warning' },
  failed: { word: 'Failed', tone: 'danger' },
};

export function RunBadge({ state }: Pick<RetentionRun, 'state'>) {
  return <StateBadge {...STATES[state]} />;
}

/** Earlier versions counted only the objects of archives. */
function formatDestroyed({ items, item_bytes }: NonNullable<RetentionRun['proof']>): string {
  return items === null ? 'Destroyed' : `${formatNumber(items)} destroyed, ${formatBytes(item_bytes)}:`;
}

export function RunStatus({ run: { state, note, restored, skipped, restored_at, proof } }: { run: RetentionRun }) {
  return (
    <Stack gap={2} align="flex-start">
      <RunBadge state={state} />
      {note !== '' && <Quiet>{note}</Quiet>}
      {restored_at !== null && (
        <Quiet>
          {formatNumber(restored)} restored{skipped > 0 && `, ${formatNumber(skipped)} exist again`}
        </Quiet>
      )}
      {proof !== null && (
        <Quiet>
          {formatDestroyed(proof)} <Timestamp at={proof.destroyed_at} />
        </Quiet>
      )}
    </Stack>
  );
}

export function RunResult({ run: { state, deleted, started_at, ended_at, note } }: { run: RetentionRun }) {
  return (
    <Stack gap={2}>
      <Group gap={8}>
        <RunBadge state={state} />
        <span>{formatNumber(deleted)} deleted</span>
      </Group>
      <Quiet>
        <Timestamp at={ended_at === 0 ? started_at : ended_at} />
      </Quiet>
      {note !== '' && <Quiet>{note}</Quiet>}
    </Stack>
  );
}
