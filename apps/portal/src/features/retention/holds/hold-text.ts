import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import type { Hold } from '@steward/contract/retention/holds';
import type { Tone } from '#platform/feedback/state-badge.tsx';
import { formatNumber } from '#platform/time/format.ts';

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** Each limit of the hold is one item. */
export function describeScope(hold: Hold): string[] {
  const { user_ids, user_names, channel_ids, channel_names, settings, from, to, automatic } = hold;
  const { connected_user_ids, connected_user_names, connected_channel_ids, connected_channel_names } = hold;
  if (automatic) return ['Content that was restored'];
  const parts: string[] = [];
  if (user_ids.length > 0) parts.push(listNames(user_names, user_ids.length, ['user', 'users']));
  if (channel_ids.length > 0) parts.push(listNames(channel_names, channel_ids.length, ['channel', 'channels']));
  if (connected_user_ids.length > 0)
    parts.push(`Connected: ${listNames(connected_user_names, connected_user_ids.length, ['user', 'users'])}`);
  if (connected_channel_ids.length > 0)
    parts.push(
      `Connected: ${listNames(connected_channel_names, connected_channel_ids.length, ['channel', 'channels'])}`,
    );
  if (settings.length > 0) parts.push(settings.map((kind) => KIND_TEXT[kind].title).join(', '));
  if (parts.length === 0) parts.push('Everything in the team');
  const dates = describeDates(from, to);
  return dates === undefined ? parts : [...parts, dates];
}

/** Names that the viewer may not see are only counted. */
function listNames(names: readonly string[], count: number, [one, many]: [string, string]): string {
  const known = names.filter((name) => name !== '');
  const rest = count - known.length;
  if (known.length === 0) return `${formatNumber(rest)} ${rest === 1 ? one : many}`;
  return rest === 0 ? known.join(', ') : `${known.join(', ')} and ${formatNumber(rest)} more`;
}

/** The last day is included, because the server's limit is the moment after it. */
function describeDates(from: number | null, to: number | null): string | undefined {
  const last = to === null ? '' : DAY.format(to - 1);
  if (from === null) return to === null ? undefined : `Until ${last}`;
  return to === null ? `From ${DAY.format(from)}` : `${DAY.format(from)} – ${last}`;
}

export function getHoldState({ release_at, released_at }: Hold): { tone: Tone; word: string } {
  if (released_at !== null) return { tone: 'quiet', word: 'Ended' };
  return release_at === null ? { tone: 'active', word: 'Active' } : { tone: 'warning', word: 'Ends soon' };
}
