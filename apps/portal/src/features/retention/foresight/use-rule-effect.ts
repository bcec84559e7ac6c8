import { useDebouncedValue } from '@mantine/hooks';
import type { Preview } from '@steward/contract/retention';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import type { Group } from '../groups.ts';
import { effectQueryOptions } from './foresight.queries.ts';

/** Pause after the last change of a rule before its effect is counted, in milliseconds. */
const PAUSE_MS = 400;

/** What a rule that isn't saved yet would delete. */
export interface RuleEffect {
  /** The last count; undefined until there is one. */
  preview: Preview | undefined;
  /** The count is of an earlier rule, and the next one is on its way. */
  isStale: boolean;
  hasFailed: boolean;
}

/** Counts what an edited rule would delete while it is being edited; undefined without an edit that could be saved. */
export function useRuleEffect(
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
