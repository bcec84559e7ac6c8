import type { Sending } from '#testing/app/call.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import type { Actor, World } from './actors.ts';
import { matrix } from './authorization-matrix.ts';

/** Calls that may be sent and change nothing that anybody would look for in the audit log, and why. */
export const UNAUDITED: Readonly<Record<string, string>> = {
  listStatuses: 'reads; that somebody is there is no change',
  checkSignUp: 'looks at a link and uses nothing up',
  previewDefaultChannels: 'counts, and writes nothing',
  previewRetention: 'counts, and writes nothing',
  previewTemplate: 'renders, and writes nothing',
  startImport: 'stores nothing yet: the row of an import is written when it ends',
};

const deletes = { value: 1, duration: { count: 1, period: 'y' } };

/** Where what the authorization matrix sends is right and changes nothing: fields of the body that change something. */
const CHANGES: Readonly<Record<string, (world: World) => object | Promise<object>>> = {
  saveFileRetention: () => deletes,
  saveMessageRetention: () => ({
    public_channels: deletes,
    private_channels: { value: 0 },
    direct_messages: { value: 0 },
  }),
  saveNoteRetention: () => ({ archived_notes: deletes }),
  saveTaskRetention: () => ({ completed_tasks: deletes }),
  saveMeetingRetention: () => ({ meeting_history: deletes, meeting_recordings: { value: 0 } }),
  saveVoiceRetention: () => ({
    call_history: deletes,
    call_recordings: { value: 0 },
    voicemails: { value: 0 },
    communication_history: { value: 0 },
  }),
  saveDefaultChannels: async (world) => ({
    default_channels: [world.generalId, await world.createFreshChannel('O', [])],
  }),
  saveIntegration: (world) => ({
    ticket_created: true,
    ticket_updated: true,
    message: base64('{"text":"{{ticket.title}}"}'),
    channel_details: [{ channel_id: world.generalId }],
  }),
};

/** A request of a call that works and changes something; undefined where nobody has said how. */
export async function buildChangeRequest(name: string, world: World, admin: Actor): Promise<Sending | undefined> {
  const row = matrix[name]?.find(({ expected }) => expected.TA < 300);
  if (!row) return undefined;
  const sent: Sending = { as: admin, ...(await row.send?.(world, admin)) };
  const fields = await CHANGES[name]?.(world);
  return fields === undefined ? sent : { ...sent, body: { ...(sent.body as object), ...fields } };
}
