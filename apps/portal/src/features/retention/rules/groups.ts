import type { RetentionKind } from '@steward/contract/retention/fields';

/** The six groups of settings, by the last part of their screens' addresses (spec §2). */
export type GroupName =
  | 'file_retention'
  | 'message_retention'
  | 'notes_retention'
  | 'tasks_retention'
  | 'meeting_retention'
  | 'voice_retention';

/** When people may also mark things as deleted: always, or only while everything else is kept (spec §5). */
type Marking = 'always' | 'when kept';

/** One setting: the radio buttons of a kind and what they say (spec §9). */
export interface Setting {
  kind: RetentionKind;
  /** Heading of its part of the form. */
  title: string;
  /** What is kept: messages, files, call history. */
  all: string;
  keep: string;
  limit: string;
  /** Says from which moment on a duration counts. */
  since: string;
  marking?: Marking;
}

/** One screen with its settings. */
export interface Group {
  name: GroupName;
  title: string;
  /** The same in the sidebar and in tables. */
  short: string;
  description: string;
  settings: readonly Setting[];
}

function setting(kind: RetentionKind, title: string, { all, since }: { all: string; since: string }): Setting {
  return {
    kind,
    title,
    all,
    keep: `Keep all ${all} forever`,
    limit: `Keep all ${all}, but only for a set duration`,
    since,
  };
}

const posted = { all: 'messages', since: 'Counted from when a message was posted.' };

/** In the order of the sidebar. */
export const GROUPS: readonly Group[] = [
  {
    name: 'file_retention',
    title: 'File Retention',
    short: 'Files',
    description: 'How long files are kept, and whether people may delete theirs.',
    settings: [
      {
        ...setting('files', 'Files', { all: 'files', since: 'Counted from when a file was created.' }),
        marking: 'always',
      },
    ],
  },
  {
    name: 'message_retention',
    title: 'Message Retention',
    short: 'Messages',
    description: 'How long messages are kept, apart for each kind of channel.',
    settings: [
      setting('public_channels', 'Public channels', posted),
      setting('private_channels', 'Private channels', posted),
      { ...setting('direct_messages', 'Direct messages', posted), marking: 'when kept' },
    ],
  },
  {
    name: 'notes_retention',
    title: 'Notes Retention',
    short: 'Notes',
    description: 'How long archived notes are kept. Notes that are not archived always stay.',
    settings: [
      setting('archived_notes', 'Archived notes', {
        all: 'archived notes',
        since: 'Counted from when a note was archived.',
      }),
    ],
  },
  {
    name: 'tasks_retention',
    title: 'Tasks Retention',
    short: 'Tasks',
    description: 'How long completed tasks are kept. Tasks that are still open always stay.',
    settings: [
      setting('completed_tasks', 'Completed tasks', {
        all: 'completed tasks',
        since: 'Counted from when a task was completed.',
      }),
    ],
  },
  {
    name: 'meeting_retention',
    title: 'Meeting Retention',
    short: 'Meetings',
    description: 'How long the history and the recordings of meetings are kept.',
    settings: [
      setting('meeting_history', 'Meeting history', {
        all: 'meeting history',
        since: 'Counted from when a meeting ended.',
      }),
      setting('meeting_recordings', 'Meeting recordings', {
        all: 'meeting recordings',
        since: 'Counted from when a recording ended.',
      }),
    ],
  },
  {
    name: 'voice_retention',
    title: 'Voice Retention',
    short: 'Voice',
    description: 'How long calls, their recordings, voicemails and communications are kept.',
    settings: [
      setting('call_history', 'Call history', { all: 'call history', since: 'Counted from when a call ended.' }),
      setting('call_recordings', 'Call recordings', {
        all: 'call recordings',
        since: 'Counted from when a recording ended.',
      }),
      setting('voicemails', 'Voicemails', {
        all: 'voicemails',
        since: 'Counted from when a voicemail ended or was received.',
      }),
      setting('communication_history', 'Communication history', {
        all: 'communication history',
        since: 'Counted from when a communication ended or was received.',
      }),
    ],
  },
];

/** The group of a screen. */
export function getGroup(name: GroupName): Group {
  return found(GROUPS.find((group) => group.name === name));
}

/** The group and the setting of a kind. */
export function placeOf(kind: RetentionKind): { group: Group; setting: Setting } {
  const group = found(GROUPS.find(({ settings }) => settings.some((one) => one.kind === kind)));
  return { group, setting: found(group.settings.find((one) => one.kind === kind)) };
}

function found<Item>(item: Item | undefined): Item {
  if (item === undefined) throw new RangeError('There is no such setting of retention.');
  return item;
}
