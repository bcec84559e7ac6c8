import { useDebouncedValue } from '@mantine/hooks';
import type { Preview } from '@steward/contract/retention';
import type { RetentionKind, RetentionRule } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import type { Group } from '../groups.ts';
import { effectQueryOptions } from './foresight.queries.ts';

/** The effect is counted this many milliseconds after the last change of a rule. */
const PAUSE_MS = 400;

export interface RuleEffect {
  /** The value is undefined until the first count arrives. */
  preview: Preview | undefined;
  /** The count belongs to an earlier version of the rule. */
  isStale: boolean;
  hasFailed: boolean;
}

/** Returns undefined if there is no edit that could be saved. */
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
