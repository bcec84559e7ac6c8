import type { InactivityNight } from '@steward/contract/users/inactivity';
import type { Tone } from '#platform/feedback/state-badge.tsx';
import { formatNumber } from '#platform/time/format.ts';

/** People named in a cell; the others are counted. */
const NAMED = 3;

/** “Ada Lovelace, Bob Stone and 4 more”; a dash for nobody. */
export function describeUsers({ count, users }: InactivityNight['warned']): string {
  if (count === 0) return '–';
  const named = users.slice(0, NAMED).map(({ name }) => name || 'A former member');
  const others = count - named.length;
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${formatNumber(others)} more`;
}

export function toNightState({ state, undone_at }: InactivityNight): { word: string; tone: Tone } {
  if (undone_at !== null) return { word: 'Undone', tone: 'undone' };
  return {
    running: { word: 'Running', tone: 'active' },
    done: { word: 'Done', tone: 'success' },
    asks: { word: 'Waits for an owner', tone: 'warning' },
    paused: { word: 'Paused', tone: 'quiet' },
  }[state] as { word: string; tone: Tone };
}

export function canUndo({ state, undone_at, deactivated }: InactivityNight): boolean {
  return state === 'done' && undone_at === null && deactivated.count > 0;
}
