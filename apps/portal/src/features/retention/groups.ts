import type { RetentionKind } from '@steward/contract/retention/fields';
import { type Setting, toSetting } from '#workspace/retention/settings.ts';

/** A screen's name is the last part of its address. */
export type GroupName =
  | 'file_retention'
  | 'message_retention'
  | 'notes_retention'
  | 'tasks_retention'
  | 'meeting_retention'
  | 'voice_retention';

export interface Group {
  name: GroupName;
  title: string;
  /** The sidebar and tables use this shorter name. */
  short: string;
  description: string;
  /** Says which related content isn't deleted with it. */
  stays?: string;
  settings: readonly Setting[];
}

/** The screens are in the order of the sidebar. */
export const GROUPS: readonly Group[] = [
  {
    name: 'file_retention',
    title: 'File Retention',
    short: 'Files',
    description: 'Set how long files are kept and whether users can delete their own.',
    stays: 'The messages that files are attached to stay: they have rules of their own.',
    settings: [toSetting('files', 'files')],
  },
  {
    name: 'message_retention',
    title: 'Message Retention',
    short: 'Messages',
    description: 'Set how long messages are kept in public channels, private channels and direct messages.',
    stays:
      'Files attached to a message stay: they have a rule of their own. Replies to a message stay until they are old enough themselves.',
    settings: [
      toSetting('public_channels', 'messages'),
      toSetting('private_channels', 'messages'),
      toSetting('direct_messages', 'messages'),
    ],
  },
  {
    name: 'notes_retention',
    title: 'Notes Retention',
    short: 'Notes',
    description: 'Set how long archived notes are kept. Active notes are never deleted.',
    settings: [toSetting('archived_notes', 'archived notes')],
  },
  {
    name: 'tasks_retention',
    title: 'Tasks Retention',
    short: 'Tasks',
    description: 'Set how long completed tasks are kept. Open tasks are never deleted.',
    settings: [toSetting('completed_tasks', 'completed tasks')],
  },
  {
    name: 'meeting_retention',
    title: 'Meeting Retention',
    short: 'Meetings',
    description: 'Set how long meeting history and recordings are kept.',
    settings: [toSetting('meeting_history', 'meeting history'), toSetting('meeting_recordings', 'meeting recordings')],
  },
  {
    name: 'voice_retention',
    title: 'Voice Retention',
    short: 'Voice',
    description: 'Set how long calls, call recordings, voicemails and communications are kept.',
    settings: [
      toSetting('call_history', 'call history'),
      toSetting('call_recordings', 'call recordings'),
      toSetting('voicemails', 'voicemails'),
      toSetting('communication_history', 'communication history'),
    ],
  },
];

const SUFFIX = '_retention';

export function findGroup(param: string): Group | undefined {
  return GROUPS.find(({ name }) => name === `${param}${SUFFIX}`);
}

/** The result is `file` for /dashboard/team_settings/file_retention. */
export function getGroupParam({ name }: Group): string {
  return name.slice(0, -SUFFIX.length);
}

export function getGroupByKind(kind: RetentionKind): Group {
  const group = GROUPS.find(({ settings }) => settings.some((one) => one.kind === kind));
  if (group === undefined) throw new RangeError(`No screen has the setting ${kind}.`);
  return group;
}
