import { inTransaction } from '#platform/database/database.ts';
import type { Sending } from '#testing/app/call.ts';
import { channel } from '#testing/workspace/content.ts';
import { base64 } from '#testing/workspace/helpdesk.ts';
import { savePicture } from '#workspace/users/pictures.store.ts';
import { saveAdminsMayCreateTokens } from '#workspace/users/teams.store.ts';
import { ACTORS, type Actor, type MatrixRow, type World } from './actors.ts';
import { matrix } from './authorization-matrix.ts';
import { newSession } from './matrix/rows.ts';

/** Calls without an audit row, with the reason. */
export const UNAUDITED: Readonly<Record<string, string>> = {
  addTotp: 'stores a secret that does not count yet: setting it up writes a row',
  addPasskeyOptions: 'signs a challenge and writes nothing',
  getPasskeyOptions: 'signs a challenge and writes nothing',
  listStatuses: 'reads; recording presence is not a change',
  checkEmailLink: 'checks a link without consuming it',
  checkResetLink: 'checks a link without consuming it',
  checkInvitationLink: 'checks a link without using it',
  previewInactivity: 'counts and writes nothing',
  checkStillNeeded: 'checks a link without using it',
  reportActivity: 'records presence, which is not a change',
  askToJoin: 'adds no member: joining with the emailed link writes a row',
  checkSignUp: 'checks a link without consuming it',
  previewDefaultChannels: 'counts and writes nothing',
  previewChannelGroup: 'counts and writes nothing',
  previewRetention: 'counts and writes nothing',
  previewTemplate: 'renders and writes nothing',
  startBulk: 'changes nothing yet: each batch of the job writes a row',
  getLoginOptions: 'reads',
  linkOwnAccount: 'answers an address and writes nothing',
  testSso: 'reads what the provider publishes',
  previewConnectedRules: 'counts and writes nothing',
  takeLease: 'a bridge says that it runs',
  releaseLease: 'a bridge says that it stops',
  reportStatus: 'a bridge reports what it sees; the page of the connection shows it',
  reportRehearsal: 'a bridge reports what it sees; the row of an order that ends has it',
  startList: 'a bridge describes its server, whose audit log this is not',
  addListPage: 'a bridge describes its server',
  finishList: 'a bridge describes its server',
  saveRemoteMessages: 'a bridge describes its server',
  takePermit: 'the order that the permit belongs to has a row when it opens and ends',
  beginPermit: 'the order that the permit belongs to has a row when it opens and ends',
  startImport: 'stores nothing yet: an import is recorded when it ends',
};

/** Calls that work only before the first team exists, so tests with teams can't make them change anything. */
export const BEFORE_ANY_TEAM: ReadonlySet<string> = new Set(['setUp']);

/** Changes that need recent proof of who makes them. The retention rules that the matrix saves delete more than before. */
export const DANGEROUS: ReadonlySet<string> = new Set([
  'saveFileRetention',
  'saveMessageRetention',
  'saveNoteRetention',
  'saveTaskRetention',
  'saveMeetingRetention',
  'saveVoiceRetention',
  'runRetention',
  'restoreRun',
  'releaseHold',
  'exportHold',
  'addToken',
  'removeToken',
  'saveTokenPolicy',
  'connectIntegration',
  'setOwner',
  'exportUser',
  'exportOwnData',
  'eraseUser',
  'saveSecurityPolicy',
  'saveTeamSettings',
  'resetFactors',
  'addTotp',
  'confirmTotp',
  'removeTotp',
  'addPasskeyOptions',
  'addPasskey',
  'removePasskey',
  'renewRecoveryCodes',
  'addDomain',
  'verifyDomain',
  'removeDomain',
  'saveSso',
  'removeSso',
  'unlinkIdentity',
  'linkOwnAccount',
  'addScimToken',
  'removeScimToken',
  'addInvitationLink',
  'saveChannelGroup',
  'saveInactivity',
  'confirmInactivityNight',
  'undoInactivityNight',
  'acceptConnection',
  'leaveConnection',
  'askConnectedServer',
  'saveConnectedRules',
]);

const deletes = { value: 1, duration: { count: 1, period: 'y' } };

/** Preparations without which a call changes nothing. */
const PREPARED: Readonly<Record<string, (world: World, admin: Actor) => Promise<unknown>>> = {
  endOtherSessions: newSession,
  removePicture: ({ node }, admin) => inTransaction(node.db, (trx) => savePicture(trx, admin.id, Buffer.from('WebP'))),
};

/** Body fields with a change, for calls whose request in the authorization matrix changes nothing. */
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
  saveConnectedRules: () => ({ public_channels: deletes, private_channels: { value: 0 } }),
  saveDefaultChannels: async (world) => ({
    default_channels: [world.general.id, (await channel(world.node, world.teamId)).id],
  }),
  saveTokenPolicy: async (world) => {
    await inTransaction(world.node.db, (trx) => saveAdminsMayCreateTokens(trx, world.teamId, false));
    return { admins_may_create: true };
  },
  saveIntegration: (world) => ({
    ticket_created: true,
    ticket_updated: true,
    message: base64('{"text":"{{ticket.title}}"}'),
    channel_details: [{ channel_id: world.general.id }],
  }),
};

/** Finds a row that an admin is allowed, or else an owner. */
export function findAllowedRow(name: string): MatrixRow | undefined {
  return (
    matrix[name]?.find(({ expected }) => expected.TA < 300) ?? matrix[name]?.find(({ expected }) => expected.TO < 300)
  );
}

export function getAllowedActor(name: string): (typeof ACTORS)[number] {
  const column = (findAllowedRow(name)?.expected.TA ?? 0) < 300 ? 'TA' : 'TO';
  return ACTORS.find((actor) => actor.column === column) ?? { name: 'an owner', column };
}

/** A valid request with a change; undefined if the matrix has none for this call. */
export async function buildChangeRequest(name: string, world: World, admin: Actor): Promise<Sending | undefined> {
  const row = findAllowedRow(name);
  if (!row) return undefined;
  await PREPARED[name]?.(world, admin);
  const sent: Sending = { as: admin, ...(await row.send?.(world, admin)) };
  const fields = await CHANGES[name]?.(world);
  return fields === undefined ? sent : { ...sent, body: { ...(sent.body as object), ...fields } };
}
