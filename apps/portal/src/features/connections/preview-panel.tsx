import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ConnectedPreview } from '@steward/contract/connections';
import type { ConnectedKind } from '@steward/contract/connections/fields';
import { describeCutoff } from '@steward/contract/retention/describe-rule';
import type { RetentionRule, SavedRule } from '@steward/contract/retention/fields';
import { getRemoval } from '@steward/contract/retention/rules';
import { useQuery } from '@tanstack/react-query';
import { Facts, SmallButton, TeamTimestamp } from '#platform/page/facts.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatDayIn, formatNumber, formatTimeSpan } from '#platform/time/format.ts';
import type { Setting } from '#workspace/retention/settings.ts';
import { countThreads } from './connection-text.ts';
import { type Place, previewQueryOptions } from './connections.queries.ts';

interface PreviewPanelProps {
  place: Place;
  setting: Setting;
  saved: SavedRule;
  /** The edited rule; undefined if there is none that could be saved. */
  edited: RetentionRule | undefined;
  zone: string | undefined;
}

/** The count starts this many milliseconds after the last change of a rule. */
const PAUSE_MS = 400;

/** Counts the edited rule if there is one, and the current rule otherwise. */
export function PreviewPanel({ place, setting, saved, edited, zone }: PreviewPanelProps) {
  const current = saved.unreadable ? null : (saved.in_force ?? saved);
  const wanted = JSON.stringify(edited ?? current);
  const [settled] = useDebouncedValue(wanted, PAUSE_MS);
  const rule = JSON.parse(settled) as RetentionRule | null;
  const counted = rule !== null && getRemoval(rule) !== null ? toPlain(rule) : null;
  const { data, error, isFetching, refetch } = useQuery(
    previewQueryOptions(place, setting.kind as ConnectedKind, counted),
  );
  const isStale = isFetching || wanted !== settled;
  const removes = getRemoval(edited ?? current) !== null;
  return (
    <Stack gap="md" p={{ base: 'md', sm: 20 }} miw={0}>
      <Text role="status" fw={500} aria-busy={isStale} style={{ opacity: isStale && data !== undefined ? 0.5 : 1 }}>
        {describe({
          setting,
          saved,
          edited,
          zone,
          preview: removes ? data : undefined,
          removes,
          hasFailed: error !== null && !isStale,
        })}
      </Text>
      {removes && data !== undefined && <PreviewFacts preview={data} zone={zone} />}
      {removes && data === undefined && error === null && <Skeletons rows={4} height={20} />}
      {removes && error !== null && !isStale && (
        <SmallButton style={{ alignSelf: 'flex-start' }} onClick={() => void refetch()}>
          Retry
        </SmallButton>
      )}
    </Stack>
  );
}

function toPlain({ value, duration }: RetentionRule): RetentionRule {
  return { value, ...(duration && { duration }) };
}

interface Described extends Omit<PreviewPanelProps, 'place'> {
  preview: ConnectedPreview | undefined;
  removes: boolean;
  hasFailed: boolean;
}

function describe({ setting, saved, edited, zone, preview, removes, hasFailed }: Described): string {
  if (!removes)
    return edited === undefined ? describeCutoff(setting.kind, saved, null) : 'If saved, nothing is deleted.';
  if (hasFailed) return "Couldn't count what this rule deletes.";
  if (preview === undefined) return 'Counting what this rule deletes…';
  const { rows, threads, cutoff } = preview;
  const older = `in which everything is older than ${formatDayIn(cutoff ?? 0, zone ?? 'UTC')}`;
  if (rows === 0) return `There are no threads to delete now ${older}.`;
  if (edited === undefined) return `The next run deletes ${countThreads(rows, threads)}, ${older}.`;
  return `If saved, ${countThreads(rows, threads)} would be deleted, ${older}.`;
}

export function PreviewFacts({ preview, zone }: { preview: ConnectedPreview; zone: string | undefined }) {
  const { rows, files, bytes, oldest, held, in_threads, arrived, seconds, first_run_at } = preview;
  const unless0 = (count: number) => (count === 0 ? null : formatNumber(count));
  return (
    <Facts
      facts={[
        ['Files', rows === 0 ? null : formatNumber(files)],
        ['Size', rows === 0 ? null : formatBytes(bytes)],
        ['Oldest', oldest === null ? null : <TeamTimestamp key="oldest" at={oldest} teamZone={zone} />],
        ['Takes there', rows === 0 ? null : `About ${formatTimeSpan(seconds * 1_000)}`],
        ['Kept by holds', unless0(held)],
        ['Kept for their thread', unless0(in_threads)],
        ['Arrived within a day', arrived === 0 ? null : `${formatNumber(arrived)}, which wait for a day`],
        ['Next run', <TeamTimestamp key="next" at={first_run_at} teamZone={zone} />],
      ]}
    />
  );
}
