import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { KindRetention, Preview, StoredRetention } from '@steward/contract/retention';
import { describeCutoff, KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { getRemoval } from '@steward/contract/retention/rules';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Facts, SmallButton, TeamTimestamp } from '#platform/page/facts.tsx';
import { Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatCount, formatDayIn, formatNumber } from '#platform/time/format.ts';
import type { Setting } from '#workspace/retention/settings.ts';
import { AgeChart, AgeSkeleton } from '../foresight/age-chart.tsx';
import { DueItems, NoDueItems } from '../foresight/due-items.tsx';
import { effectQueryOptions } from '../foresight/foresight.queries.ts';
import type { Group } from '../groups.ts';
import { overviewQueryOptions, storedQueryOptions } from '../retention.queries.ts';
import { RunResult } from '../runs/run-result.tsx';

interface FactsPanelProps {
  group: Group;
  setting: Setting;
  teamId: string;
  /** The edited rule is undefined if it can't be saved. */
  edited: RetentionRule | undefined;
}

/** All settings of a screen share these calls. */
export function FactsPanel({ group, setting: { kind }, teamId, edited }: FactsPanelProps) {
  const overview = useQuery(overviewQueryOptions(teamId));
  const kinds = group.settings.map((setting) => setting.kind);
  const counts = useQuery(storedQueryOptions(teamId, kinds));
  const state = overview.data?.kinds.find((one) => one.kind === kind);
  const zone = overview.data?.time_zone ?? 'UTC';
  const stored = counts.data?.records.find((one) => one.kind === kind);
  const effect = useRuleEffect({ group, teamId, kind }, edited);
  return (
    <Stack gap="md" p={{ base: 'md', sm: 20 }} miw={0}>
      <Loaded what="the current rule" query={overview} data={state} height={21}>
        {(data) => <CurrentRule state={data} zone={zone} />}
      </Loaded>
      <EffectNotice kind={kind} zone={zone} effect={effect} />
      <Loaded what="stored items" query={counts} data={stored} height={68.5}>
        {(data) => <StoredFacts stored={data} zone={zone} />}
      </Loaded>
      {state !== undefined && <RunFacts state={state} nextRunAt={overview.data?.next_run_at ?? 0} zone={zone} />}
      {state === undefined && overview.error === null && (
        <>
          <Skeletons rows={1} height={45} />
          <AgeSkeleton />
          <NoDueItems />
        </>
      )}
      {state !== undefined && (
        <Ahead
          teamId={teamId}
          state={state}
          zone={zone}
          edited={edited}
          due={stored?.overdue ?? 0}
          preview={effect?.preview}
        />
      )}
    </Stack>
  );
}

interface LoadedProps<Data> {
  what: string;
  query: { error: unknown; refetch: () => Promise<unknown> };
  data: Data | undefined;
  height: number;
  children: (data: Data) => ReactNode;
}

/** A failed part shows its error with Retry, independently of the other parts. */
function Loaded<Data>({ what, query, data, height, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (query.error === null) return <Skeletons rows={1} height={height} />;
  return (
    <Text c="dimmed" fz="0.8125rem" role="alert">
      Couldn't load {what}. <SmallButton onClick={() => void query.refetch()}>Retry</SmallButton>
    </Text>
  );
}

interface AheadProps {
  teamId: string;
  state: KindRetention;
  zone: string;
  edited: RetentionRule | undefined;
  due: number;
  preview: Preview | undefined;
}

/** The chart uses the edited rule if there is one, and the current rule otherwise. */
function Ahead({ teamId, state: { kind, rule, cutoff: current }, zone, edited, due, preview }: AheadProps) {
  const inForce = rule.unreadable ? null : getRemoval(rule.in_force ?? rule);
  const wanted = edited === undefined ? inForce : getRemoval(edited);
  const clock = wanted?.clock ?? inForce?.clock ?? 'own';
  const cutoff = inForce?.clock === clock ? current : null;
  const editedCutoff = edited === undefined ? undefined : preview?.cutoff;
  const [listed, count] = edited === undefined ? [cutoff, due] : [preview?.cutoff ?? null, preview?.count ?? 0];
  return (
    <>
      <AgeChart teamId={teamId} kind={kind} clock={clock} zone={zone} cutoff={cutoff} editedCutoff={editedCutoff} />
      {listed === null || count === 0 ? (
        <NoDueItems />
      ) : (
        <DueItems list={{ teamId, setting: kind, clock, cutoff: listed }} zone={zone} />
      )}
    </>
  );
}

function CurrentRule({ state: { kind, rule, cutoff }, zone }: { state: KindRetention; zone: string }) {
  // The choices already say that a rule is unreadable, or which rule a scheduled one replaces.
  if (rule.unreadable || (rule.effective_at !== undefined && cutoff === null)) return null;
  return <Text>{describeCutoff(kind, rule, cutoff === null ? null : formatDayIn(cutoff, zone))}</Text>;
}

function StoredFacts({ stored, zone }: { stored: StoredRetention; zone: string }) {
  const { kind, count, bytes, overdue, overdue_bytes, oldest } = stored;
  return (
    <Facts
      facts={[
        ['Stored now', count === 0 ? 'Nothing' : `${formatCount(count, KIND_TEXT[kind])}, ${formatBytes(bytes)}`],
        ['Oldest', oldest === null ? '–' : <TeamTimestamp key="oldest" at={oldest} teamZone={zone} />],
        ['Due for deletion', overdue === 0 ? 'Nothing' : `${formatNumber(overdue)}, ${formatBytes(overdue_bytes)}`],
      ]}
    />
  );
}

function RunFacts({ state, nextRunAt, zone }: { state: KindRetention; nextRunAt: number; zone: string }) {
  const { rule, cutoff, running, last_run } = state;
  const notScheduled = rule.effective_at === undefined ? 'Not scheduled' : 'After the rule takes effect';
  return (
    <Facts
      facts={[
        ['Running', running === null ? null : <RunResult key="running" run={running} />],
        ['Last run', last_run === null ? 'Never' : <RunResult key="last" run={last_run} />],
        ['Next run', cutoff === null ? notScheduled : <TeamTimestamp key="next" at={nextRunAt} teamZone={zone} />],
      ]}
    />
  );
}

interface EffectNoticeProps {
  kind: RetentionKind;
  zone: string;
  effect: RuleEffect | undefined;
}

/** This is always in the document, so that screen readers announce its changes. */
function EffectNotice({ kind, zone, effect }: EffectNoticeProps) {
  return (
    <Text
      role="status"
      fw={500}
      aria-busy={effect?.isStale ?? false}
      style={{ opacity: effect?.isStale && effect.preview !== undefined ? 0.5 : 1 }}
      {...(effect === undefined && { mb: 'calc(-1 * var(--mantine-spacing-md))' })}
    >
      {effect !== undefined && describe(kind, zone, effect)}
    </Text>
  );
}

function describe(kind: RetentionKind, zone: string, { preview, isStale, hasFailed }: RuleEffect): string {
  if (hasFailed && !isStale) return "Couldn't count what this change would delete.";
  if (preview === undefined) return 'Counting what this change would delete…';
  const { count, bytes, cutoff, held } = preview;
  const text = KIND_TEXT[kind];
  if (cutoff === null) return `If saved, no ${text.items} are deleted.`;
  const kept = held.count === 0 ? '' : ` Legal holds keep ${formatNumber(held.count)}.`;
  if (count === 0) return `If saved, there would be no ${text.many} to delete now.${kept}`;
  const deleted = `${formatCount(count, text)} (${formatBytes(bytes)})`;
  const everything = held.count === 0 ? 'everything before' : 'what is older than';
  return `If saved, ${deleted} would be deleted: ${everything} ${formatDayIn(cutoff, zone)}.${kept}`;
}

/** The effect is counted this many milliseconds after the last change of a rule. */
const PAUSE_MS = 400;

interface RuleEffect {
  /** The value is undefined until the first count arrives. */
  preview: Preview | undefined;
  /** The count belongs to an earlier version of the rule. */
  isStale: boolean;
  hasFailed: boolean;
}

/** Returns undefined if there is no edit that could be saved. */
function useRuleEffect(
  place: { group: Group; teamId: string; kind: RetentionKind },
  rule: RetentionRule | undefined,
): RuleEffect | undefined {
  const wanted = rule === undefined ? '' : JSON.stringify(rule);
  const [settled] = useDebouncedValue(wanted, PAUSE_MS);
  const counted = settled === '' ? null : (JSON.parse(settled) as RetentionRule);
  const { data, error, isFetching } = useQuery(effectQueryOptions(place, counted));
  if (rule === undefined) return undefined;
  return { preview: data, isStale: isFetching || wanted !== settled, hasFailed: error !== null };
}
