import {
  getFileRetention,
  getMeetingRetention,
  getMessageRetention,
  getNoteRetention,
  getRetention,
  getRetentionStored,
  getTaskRetention,
  getVoiceRetention,
  listRetentionRuns,
  previewRetention,
  runRetention,
  saveFileRetention,
  saveMeetingRetention,
  saveMessageRetention,
  saveNoteRetention,
  saveTaskRetention,
  saveVoiceRetention,
} from '@steward/contract/retention';
import { getRetentionAges, getRetentionForecast, listDueItems } from '@steward/contract/retention/foresight';
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

const readings = [
  getFileRetention,
  getMessageRetention,
  getNoteRetention,
  getTaskRetention,
  getMeetingRetention,
  getVoiceRetention,
  getRetention,
  getRetentionStored,
  getRetentionForecast,
  listRetentionRuns,
];
const saves = [
  saveFileRetention,
  saveMessageRetention,
  saveNoteRetention,
  saveTaskRetention,
  saveMeetingRetention,
  saveVoiceRetention,
];

export const retentionReadings = [...readings, getRetentionAges, listDueItems].map(({ name }) => name);

export const retentionRows: Matrix = {
  ...Object.fromEntries(readings.map((endpoint) => [endpoint.name, [forAdmins(endpoint)]])),
  ...Object.fromEntries(
    saves.map((endpoint) => [endpoint.name, [forAdmins(endpoint, () => ({ body: KEEP_ALL_BODIES[endpoint.name] }))]]),
  ),
  previewRetention: [forAdmins(previewRetention, () => ({ body: { archived_notes: keep } }))],
  runRetention: [forAdmins(runRetention)],
  getRetentionAges: [forAdmins(getRetentionAges, () => ({ query: { setting: 'files' } }))],
  listDueItems: [forAdmins(listDueItems, () => ({ query: { setting: 'files', cutoff: '1' } }))],
};
