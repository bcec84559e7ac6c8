import type { Sending } from '#testing/app/call.ts';
import { ACTORS, type Actor, createActor, type MatrixRow, type World } from './actors.ts';
import { matrix } from './authorization-matrix.ts';

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

export function findAllowedRow(name: string): MatrixRow | undefined {
  return (
    matrix[name]?.find(({ expected }) => expected.TA < 300) ?? matrix[name]?.find(({ expected }) => expected.TO < 300)
  );
}

/** Returns a user who may make a call, and a valid request. Only `setUp` is refused, because the server is set up already. */
export async function prepareRequest(name: string, world: World): Promise<{ me: Actor; request: Sending }> {
  const row = findAllowedRow(name);
  const column = (row?.expected.TA ?? 0) < 300 ? 'TA' : 'TO';
  const who = ACTORS.find((actor) => actor.column === column) ?? { name: 'an owner', column };
  const me = await createActor(world.node, world, who);
  return { me, request: { as: me, ...(await (row ?? matrix[name]?.[0])?.send?.(world, me)) } };
}
