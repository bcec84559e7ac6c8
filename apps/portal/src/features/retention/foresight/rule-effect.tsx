import { Text } from '@mantine/core';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { RetentionKind } from '@steward/contract/retention/fields';
import { formatBytes, formatDayIn, formatNumber } from '#platform/time/format.ts';
import { formatCount } from '../format.ts';
import type { RuleEffect as Effect } from './use-rule-effect.ts';

interface RuleEffectProps {
  kind: RetentionKind;
  zone: string;
  effect: Effect | undefined;
}

/** What the edited rule would delete. Always in the document, so that screen readers announce it when it changes. */
export function RuleEffect({ kind, zone, effect }: RuleEffectProps) {
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

function describe(kind: RetentionKind, zone: string, { preview, isStale, hasFailed }: Effect): string {
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
