import type { Sending } from '#testing/app/call.ts';
import type { Matrix } from '../actors.ts';
import { forAdmins } from './rows.ts';

const keep = { value: 0 };

/** Bodies that keep everything, by name of the call. In a team without rules they change nothing. */
export const KEEP_ALL_BODIES: Readonly<Record<string, Sending['body']>> = {
  saveFileRetention: { value: 0, canmark: 0 },
  saveMessageRetention: { public_channels: keep, private_channels: keep, direct_messages: keep },
  saveNoteRetention: { archived_notes: keep },
  saveTaskRetention: { completed_tasks: keep },
  saveMeetingRetention: { meeting_history: keep, meeting_recordings: keep },
  saveVoiceRetention: { call_history: keep, call_recordings: keep, voicemails: keep, communication_history: keep },
};

const READINGS = [
  ...['getFileRetention', 'getMessageRetention', 'getNoteRetention', 'getTaskRetention', 'getMeetingRetention'],
  ...['getVoiceRetention', 'getRetention', 'getRetentionStored', 'getRetentionForecast', 'listRetentionRuns'],
];

export const retentionReadings = [...READINGS, 'getRetentionAges', 'listDueItems'];

export const retentionRows: Matrix = {
  ...Object.fromEntries(READINGS.map((name) => [name, [forAdmins()]])),
  ...Object.fromEntries(Object.entries(KEEP_ALL_BODIES).map(([name, body]) => [name, [forAdmins(() => ({ body }))]])),
  previewRetention: [forAdmins(() => ({ body: { archived_notes: keep } }))],
  runRetention: [forAdmins()],
  getRetentionAges: [forAdmins(() => ({ query: { setting: 'files' } }))],
  listDueItems: [forAdmins(() => ({ query: { setting: 'files', cutoff: '1' } }))],
};
