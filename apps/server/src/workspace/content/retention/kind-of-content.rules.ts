import type { ChannelType } from '@steward/contract/channels';
import type { RecordKind } from '@steward/contract/content';
import type { RetentionKind } from '@steward/contract/retention/fields';

/** The kind of the messages in channels of a type. */
export const KIND_OF_CHANNEL: Readonly<Record<ChannelType, RetentionKind>> = {
  O: 'public_channels',
  P: 'private_channels',
  D: 'direct_messages',
};

/** The kind of each sort of record. */
export const KIND_OF_RECORD: Readonly<Record<RecordKind, RetentionKind>> = {
  note: 'archived_notes',
  task: 'completed_tasks',
  meeting: 'meeting_history',
  meeting_recording: 'meeting_recordings',
  call: 'call_history',
  call_recording: 'call_recordings',
  voicemail: 'voicemails',
  communication: 'communication_history',
};
