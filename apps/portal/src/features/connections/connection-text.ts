import type { Connection, ConnectionHealth, Order } from '@steward/contract/connections';
import type { CheckRow, KeptReason, OrderState } from '@steward/contract/connections/fields';
import type { Tone } from '#platform/feedback/state-badge.tsx';
import { formatCount, formatNumber } from '#platform/time/format.ts';

interface State {
  word: string;
  tone: Tone;
}

export const HEALTH: Readonly<Record<ConnectionHealth, State>> = {
  waiting: { word: 'Waiting', tone: 'warning' },
  silent: { word: 'Silent', tone: 'danger' },
  problem: { word: 'Problem', tone: 'danger' },
  filling: { word: 'Listing', tone: 'active' },
  paused: { word: 'Paused', tone: 'warning' },
  ok: { word: 'Working', tone: 'success' },
};

export const ORDER_STATES: Readonly<Record<OrderState, State>> = {
  open: { word: 'Open', tone: 'active' },
  done: { word: 'Done', tone: 'quiet' },
  stopped: { word: 'Stopped', tone: 'warning' },
  refused: { word: 'Refused', tone: 'danger' },
};

export const KEPT: Readonly<Record<KeptReason, string>> = {
  held: 'Kept by a legal hold',
  thread: 'Kept for their thread',
  changed: 'Changed since',
  young: 'Not old enough anymore',
  residue: 'Could not be deleted completely',
  absent: 'Gone before',
  unverified: 'The server did not say whether it is gone',
  read_only: 'In a channel that is only read',
};

const MESSAGES = { one: 'message', many: 'messages' };

export const countMessages = (count: number) => formatCount(count, MESSAGES);

/** “1,200 of 5,000 messages handled: 1,150 deleted, 50 kept” */
export function describeProgress({ rows, gone, kept }: Order): string {
  const outcomes = `${formatNumber(gone)} deleted, ${formatNumber(kept)} kept`;
  return `${formatNumber(gone + kept)} of ${countMessages(rows)} handled: ${outcomes}`;
}

/** “12 of 40 channels listed, 1,234 messages so far, about 20 minutes left” */
export function describeFirstList({ channels, channels_filled, messages, seconds_left }: Connection): string {
  if (channels === 0) return 'Waiting for the list of channels';
  const listed = `${formatNumber(channels_filled)} of ${formatCount(channels, { one: 'channel', many: 'channels' })}`;
  return `${listed} listed, ${countMessages(messages)} so far${describeTimeLeft(seconds_left)}`;
}

function describeTimeLeft(seconds: number | null): string {
  if (seconds === null) return '';
  const [minutes, hours] = [Math.ceil(seconds / 60), Math.ceil(seconds / 3_600)];
  if (minutes <= 90) return `, about ${formatCount(minutes, { one: 'minute', many: 'minutes' })} left`;
  return `, about ${formatCount(hours, { one: 'hour', many: 'hours' })} left`;
}

/** “3 channels are only read: …”; undefined if there are none. */
export function describeReadOnly({ channels_read_only: count }: Connection): string | undefined {
  if (count === 0) return undefined;
  const channels = `${formatCount(count, { one: 'channel', many: 'channels' })} ${count === 1 ? 'is' : 'are'} only read`;
  return `${channels}: listing all messages takes over an hour or is refused by the server. Nothing is deleted there.`;
}

/** “9 checks passed”, “2 of 9 checks failed” */
export function describeChecks(checks: readonly CheckRow[], what: { one: string; many: string }): string {
  const failed = checks.filter(({ passed }) => !passed).length;
  if (failed === 0) return `${formatCount(checks.length, what)} passed`;
  return `${formatNumber(failed)} of ${formatCount(checks.length, what)} failed`;
}

/** “1,234 messages in 56 threads” */
export function countThreads(rows: number, threads: number): string {
  return `${countMessages(rows)} in ${formatCount(threads, { one: 'thread', many: 'threads' })}`;
}
