import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { user } from '#testing/workspace/factories.ts';
import { legalHold } from '#testing/workspace/holds.ts';
import { archivedRun } from '#testing/workspace/retention.ts';
import type { Matrix, World } from '../actors.ts';
import { adminsAbout, forAdmins, forOwners, forSignedIn, OWNERS, ownersAbout, UNKNOWN_TO_OWNERS } from './rows.ts';

const keep = { value: 0 };

const remove = { value: 1, duration: { count: 1, period: 'y' } };

/** Rules that delete more than before in a team without rules. */
const RULES: Readonly<Record<string, object>> = {
  saveFileRetention: { ...remove, canmark: 0 },
  saveMessageRetention: { public_channels: remove, private_channels: keep, direct_messages: keep },
  saveNoteRetention: { archived_notes: remove },
  saveTaskRetention: { completed_tasks: remove },
  saveMeetingRetention: { meeting_history: remove, meeting_recordings: keep },
  saveVoiceRetention: { call_history: remove, call_recordings: keep, voicemails: keep, communication_history: keep },
};

const READINGS = [
  ...['getFileRetention', 'getMessageRetention', 'getNoteRetention', 'getTaskRetention', 'getMeetingRetention'],
  ...['getVoiceRetention', 'getRetention', 'getRetentionStored', 'getRetentionForecast', 'listRetentionRuns'],
];

export const retentionRows: Matrix = {
  ...Object.fromEntries(READINGS.map((name) => [name, [forAdmins()]])),
  ...Object.fromEntries(Object.entries(RULES).map(([name, body]) => [name, [forAdmins(() => ({ body }))]])),
  previewRetention: [forAdmins(() => ({ body: { archived_notes: keep } }))],
  runRetention: [forAdmins()],
  getRetentionAges: [forAdmins(() => ({ query: { setting: 'files' } }))],
  listDueItems: [forAdmins(() => ({ query: { setting: 'files', cutoff: '1' } }))],
  getRecovery: [forAdmins()],
  saveRecovery: [forAdmins(() => ({ body: { recoverable_days: 30 } }))],
  restoreRun: ownersAbout('runId', ({ node, teamId }) => archivedRun(node, teamId)),
};

const hold = ({ node, teamId, member }: World) => legalHold(node, { teamId, user_ids: [member.id] });
const reason = { reason: 'Case 12' };
const ofSomeoneElse = { about: 'requested by someone else', expected: { ...OWNERS, TO: 404 } };

/** An export that is not written yet. A user has only one. */
async function createExport({ node, teamId }: World, row: { about?: 'hold'; person_id: string; requested_by: string }) {
  const id = newId();
  const adding = node.db.insertInto('privacy_exports').values({ team_id: teamId, id, ...row });
  await adding.onConflict((conflict) => conflict.doNothing()).execute();
  return id;
}

async function toHoldExport(world: World, requested_by: string): Promise<Sending> {
  const holdId = await hold(world);
  return {
    params: { holdId, exportId: await createExport(world, { about: 'hold', person_id: holdId, requested_by }) },
  };
}

async function toUserExport(world: World, requested_by: string): Promise<Sending> {
  const userId = world.member.id;
  return { params: { userId, exportId: await createExport(world, { person_id: userId, requested_by }) } };
}

export const holdRows: Matrix = {
  listHolds: [forAdmins()],
  addHold: [forAdmins(({ member }) => ({ body: { name: 'Dispute', ...reason, user_ids: [member.id] } }))],
  saveHold: adminsAbout('holdId', hold, { body: { name: 'Renamed' } }),
  releaseHold: ownersAbout('holdId', hold, { body: reason }),
  exportHold: ownersAbout('holdId', hold, { body: reason }),
  getHoldExport: [
    forOwners((world, me) => toHoldExport(world, me.id)),
    forOwners((world) => toHoldExport(world, newId()), ofSomeoneElse),
  ],
};

const unconfirmed = { confirm: 'a@example.test' };

export const privacyRows: Matrix = {
  exportUser: ownersAbout('userId', ({ member }) => member.id, { body: { reason: 'Request of the user' } }),
  getUserExport: [
    forOwners((world, me) => toUserExport(world, me.id)),
    forOwners((world) => toUserExport(world, newId()), ofSomeoneElse),
  ],
  listUserExports: [forOwners()],
  listFormerUsers: [forOwners()],
  listErasedUsers: [forOwners()],
  eraseUser: [
    forOwners(async ({ node, teamId }) => {
      const { id, email } = await user(node, { team: teamId, deactivated: true });
      return { params: { userId: id }, body: { confirm: email } };
    }),
    forOwners(
      async ({ node, teamId }) => ({ params: { userId: (await user(node, { team: teamId })).id }, body: unconfirmed }),
      { about: 'of an active user', expected: { ...OWNERS, TO: 409 } },
    ),
    forOwners(() => ({ params: { userId: newId() }, body: unconfirmed }), UNKNOWN_TO_OWNERS),
  ],
  exportOwnData: [forSignedIn()],
  getOwnExport: [forSignedIn()],
};
