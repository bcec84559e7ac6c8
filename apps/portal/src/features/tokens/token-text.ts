import { TOKEN_NOTICE_DAYS } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import type { Token } from '@steward/contract/tokens';
import type { Tone } from '#platform/feedback/state-badge.tsx';

export const KIND_LABELS: Readonly<Record<ContentKind, string>> = {
  message: 'Messages',
  file: 'Files',
  note: 'Notes',
  task: 'Tasks',
  meeting: 'Meetings',
  meeting_recording: 'Meeting recordings',
  call: 'Calls',
  call_recording: 'Call recordings',
  voicemail: 'Voicemails',
  communication: 'Communications',
};

/** The result looks like `Messages, Files`. */
export function describeKinds(kinds: readonly ContentKind[]): string {
  if (kinds.length === 0) return 'Nothing';
  if (kinds.length === ContentKind.options.length) return 'Everything';
  return kinds.map((kind) => KIND_LABELS[kind]).join(', ');
}

/** Returns undefined if the token works and doesn't expire soon. */
export function getTokenState(
  { stopped_at, expires_at }: Pick<Token, 'stopped_at' | 'expires_at'>,
  now: number,
): { word: string; tone: Tone } | undefined {
  if (stopped_at > 0) return { word: 'Stopped', tone: 'danger' };
  if (expires_at <= now) return { word: 'Expired', tone: 'danger' };
  if (expires_at < now + TOKEN_NOTICE_DAYS * 86_400_000) return { word: 'Expires soon', tone: 'warning' };
  return undefined;
}
