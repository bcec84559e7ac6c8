import assert from 'node:assert/strict';
import { saveProfile } from '@steward/contract/account';
import { endpoints } from '@steward/contract/api/endpoints';
import { ErrorBody } from '@steward/contract/api/errors';
import { RECOVERABLE_DAYS } from '@steward/contract/api/limits';
import { reportRehearsal, reportStatus, startList, takeLease } from '@steward/contract/connections/connector';
import { startImport } from '@steward/contract/directory';
import { addTotp } from '@steward/contract/factors/factors';
import { saveRecovery } from '@steward/contract/retention/recovery';
import { addScimToken } from '@steward/contract/scim';
import { login } from '@steward/contract/session';
import { signUp } from '@steward/contract/signup';
import { addToken } from '@steward/contract/tokens';
import { startBulk } from '@steward/contract/users/bulk';
import { exportOwnData } from '@steward/contract/users/privacy';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { toIntegrationId } from '#features/integrations/providers/registry.ts';
import { newId } from '#platform/database/ids.ts';
import { type Sending, send } from '#testing/app/call.ts';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import { faults, spoil } from '#testing/authorization/hostile.ts';
import { KEEP_ALL_BODIES, retentionReadings } from '#testing/authorization/matrix/retention.ts';
import { createAuthenticator } from '#testing/factors/authenticator.ts';
import { connectedServer, remoteMessage, type TestConnection } from '#testing/workspace/connections.ts';
import { findGeneralChannel, serviceToken, type TestChannel, type TestService } from '#testing/workspace/content.ts';
import { createTeamWithMembers, type TestTeam } from '#testing/workspace/factories.ts';
import { base64, TOKEN_LOGIN } from '#testing/workspace/helpdesk.ts';
import { sumTables, TRACES } from '#testing/workspace/snapshot-tables.ts';

/** Requests against each call, some 3,500 together; the seed makes every run the same. CI sends 60 against each. */
const PER_CALL = Number(process.env.HOSTILE_REQUESTS ?? 15);
const SEED = 4_2026;

/** Internals that a response must never contain, such as paths and hosts. */
const INSIDES = /node_modules|\.ts:\d|\bat \w+ \(|\/work\/|\/home\/|postgres|pg_|kysely|syntax error|relation "|zod/i;

/** Calls that are right with any name, and the tables that they then write. */
const NAMED: Record<string, string[]> = {
  [startImport.name]: ['directory_imports'],
  [addToken.name]: ['service_tokens', 'mails'],
  [addScimToken.name]: ['scim_tokens', 'mails'],
  [startBulk.name]: ['user_jobs'],
  [exportOwnData.name]: ['privacy_exports'],
  [signUp.name]: ['signups', 'mails'],
  [saveProfile.name]: ['people', 'memberships'],
  [login.name]: ['sign_ins'],
  [addTotp.name]: ['totp_factors'],
  [saveRecovery.name]: ['retention_recovery', 'mails'],
  [takeLease.name]: ['connected_servers'],
  [reportStatus.name]: ['connected_servers'],
  [reportRehearsal.name]: ['connected_servers'],
  [startList.name]: ['connected_lists'],
};

const ORIGIN = 'http://steward.test';

let node: TestApp;
let team: TestTeam;
let service: TestService;
let general: TestChannel;
let bridge: TestConnection;
let served = 0;

beforeAll(async () => {
  node = await startApp({ work: false });
  team = await createTeamWithMembers(node);
  service = await serviceToken(node, team.id);
  general = await findGeneralChannel(node, team.id);
  bridge = await connectedServer(node, { teamId: team.id, acceptedBy: team.owner.id });
});

afterAll(() => node[Symbol.asyncDispose]());

/** Requests that are right but for the fault, and most would change something if it went unnoticed. */
function rightRequest(name: string): Sending {
  const as = name === 'logout' ? undefined : team.admin;
  const byName: Record<string, Sending> = {
    login: { body: { login_id: team.member.email, password: 'a wrong password' } },
    loginWithPasskey: { body: { response: createAuthenticator({ origin: ORIGIN }).use({ challenge: 'AAAA' }) } },
    addPasskey: {
      as,
      body: { name: 'x', response: createAuthenticator({ origin: ORIGIN }).create({ challenge: 'AAAA' }) },
    },
    confirmTotp: { as, body: { token: '000000' } },
    reauthenticate: { as, body: { password: 'a wrong one' } },
    saveSecurityPolicy: {
      as,
      params: { teamId: team.id },
      body: { require_mfa: 'everyone', idle_minutes: 5, session_hours: 1, networks: [] },
    },
    previewTimeZone: { as, params: { teamId: team.id }, query: { time_zone: 'Asia/Tokyo' } },
    saveTeamSettings: { as, params: { teamId: team.id }, body: { display_name: 'Renamed' } },
    listStatuses: { as, body: [team.member.id] },
    sendPasswordReset: { as, body: { email: team.member.email } },
    checkResetLink: { body: { token: 'a'.repeat(43) } },
    resetPassword: { body: { token: 'a'.repeat(43), new_password: 'another long password' } },
    listTeams: { as, params: { userId: team.admin.id } },
    listTeamMembers: { as, params: { userId: team.admin.id } },
    listUsers: { as, params: { teamId: team.id } },
    saveUser: {
      as,
      params: { teamId: team.id },
      body: { email: team.owner.email, account_type: 1, first_name: 'New' },
    },
    revokeSessions: { as, params: { teamId: team.id, userId: newId() } },
    getUser: { as, params: { teamId: team.id, userId: team.member.id } },
    listSessions: { as, params: { teamId: team.id, userId: team.member.id } },
    saveUsers: { as, params: { teamId: team.id }, body: [{ email: team.owner.email, account_type: 1 }] },
    saveProfile: { as, body: { first_name: 'Ada', last_name: 'Lovelace' } },
    requestEmailChange: { as, body: { email: 'new@example.test', password: 'a wrong one' } },
    savePreferences: { as, body: { emails: {} } },
    ...privacyRequests(as),
    ...ssoRequests(),
    checkEmailLink: { as, body: { token: 'a'.repeat(43) } },
    confirmEmail: { as, body: { token: 'a'.repeat(43) } },
    finishSignIn: { as, body: { id: 'a'.repeat(22) } },
    savePicture: { as, headers: { 'content-type': 'image/png' }, text: '\x89PNG\r\n' },
    changePassword: { as, body: { current_password: 'a wrong one', new_password: 'another long password' } },
    setOwner: { as, params: { teamId: team.id, userId: team.member.id }, body: { owner: false } },
    reactivateUser: { as, params: { teamId: team.id, userId: newId() }, body: { ends_on: null } },
    answerInvitation: { as, params: { teamId: team.id }, body: { accept: true } },
    revokeSession: { as, params: { teamId: team.id, userId: team.member.id }, body: { session_id: newId() } },
    listAuditEvents: { as, params: { teamId: team.id }, query: { action: 'users', actor: 'none' } },
    ...manyUsersRequests(as),
    ...signupRequests(),
    ...invitationRequests(as),
    ...directoryRequests(as),
    ...contentRequests(as),
    ...channelRequests(as),
    ...retentionRequests(as),
    ...holdRequests(as),
    ...integrationRequests(as),
    ...deliveryRequests(as),
    ...connectionRequests(as),
    ...bridgeRequests(),
  };
  return byName[name] ?? { as };
}

/** For people who are unknown or stay as they are, so that what goes unnoticed changes nothing. */
function manyUsersRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id };
  return {
    saveUsers: { as, params, body: [{ email: team.owner.email, first_name: 'Other', account_type: 2 }] },
    startBulk: { as, params, body: { action: 'remove', user_ids: [newId()], dry_run: true } },
    getBulk: { as, params: { ...params, jobId: newId() } },
  };
}

/** Links that were never sent; a sign-up itself would be stored. */
function signupRequests(): Record<string, Sending> {
  const token = 'a'.repeat(43);
  const names = { first: 'Ada', last: 'Lovelace', password: 'a long enough password' };
  return {
    signUp: { body: { team_name: 'Acme', owner_email: team.member.email, invitees: ['invited@example.test'] } },
    checkSignUp: { body: { token } },
    finishSignUp: { body: { token, ...names, password2: names.password } },
    setUp: { body: { token, ...names, team_name: 'Acme', email: team.member.email } },
  };
}

/** For a user that doesn't exist, so that an unnoticed fault sends no invitation. */
function invitationRequests(as: Sending['as']): Record<string, Sending> {
  const request = { as, params: { teamId: team.id, userId: newId() } };
  return {
    getInvitation: request,
    resendInvitation: request,
    cancelInvitation: request,
    listFailedInvitations: { as, params: { teamId: team.id } },
    listInvitationLinks: { as, params: { teamId: team.id } },
    addInvitationLink: { as, params: { teamId: team.id }, body: { hours: 1, max_uses: 1, domains: ['no domain'] } },
    revokeInvitationLink: { as, params: { teamId: team.id, linkId: newId() } },
    checkInvitationLink: { body: { token: 'a'.repeat(43) } },
    askToJoin: { body: { token: 'a'.repeat(43), email: 'new@example.test' } },
    ...inactivityRequests(),
    getAttention: { as, params: { teamId: team.id } },
    getPeopleSummary: { as, params: { teamId: team.id } },
    getSignInSummary: { as, params: { teamId: team.id } },
    getStorageSummary: { as, params: { teamId: team.id } },
    getRetentionSummary: { as, params: { teamId: team.id } },
    getIntegrationsSummary: { as, params: { teamId: team.id } },
  };
}

/** Without a source of activity, for people and nights that don't exist, and a report that names a user in two ways. */
function inactivityRequests(): Record<string, Sending> {
  const [as, params] = [team.owner, { teamId: team.id, night: '2001-01-01', userId: newId() }];
  const body = { is_on: true, source: 'sso', days: 90, skips_held: true, skips_provisioned: true };
  const seen = { user_id: team.member.id, email: team.member.email, active_at: 1 };
  return {
    getInactivity: { as, params },
    saveInactivity: { as, params, body },
    previewInactivity: { as, params, body },
    saveInactivityException: { as, params, body: { user_id: newId(), reason: 'Sabbatical', until: '2099-01-31' } },
    removeInactivityException: { as, params },
    confirmInactivityNight: { as, params },
    undoInactivityNight: { as, params },
    checkStillNeeded: { body: { token: 'a'.repeat(43) } },
    confirmStillNeeded: { body: { token: 'a'.repeat(43) } },
    reportActivity: { params, headers: service.headers, body: { activity: [seen] } },
  };
}

/** Each stores something but for one wrong thing, so that what goes unnoticed shows. */
function directoryRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id };
  const ofImport = { ...params, importId: newId() };
  const wrong = { name: 'Reception', phone_number: '030 123', sms: '', email: 'not an address' };
  return {
    listEntries: { as, params },
    addEntries: { as, params, body: [{ ...wrong, email: '' }, wrong] },
    saveEntries: { as, params, body: [{ ...wrong, id: newId(), email: '' }] },
    removeEntry: { as, params: { ...params, entryId: newId() } },
    restoreEntry: { as, params: { ...params, entryId: newId() } },
    uploadEntries: { as, params, body: [{ ...wrong, id: newId() }, wrong] },
    startImport: { as, params, body: { file_name: 'people.csv' } },
    finishImport: { as, params: ofImport, body: { cancelled: false, unreadable: 0 } },
    listImports: { as, params },
    getImport: { as, params: ofImport },
    undoImport: { as, params: ofImport },
    listKeptEntries: { as, params: ofImport },
  };
}

/** Each keeps everything, as it is: what is spoilt in it and goes unnoticed would be a rule. */
function retentionRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id };
  const saves = Object.entries(KEEP_ALL_BODIES).map(([name, body]) => [name, { as, params, body }]);
  const body = { value: 0, canmark: 0, archived_notes: { value: 0 }, files: { value: 0 } };
  return {
    ...Object.fromEntries(saves),
    ...Object.fromEntries(retentionReadings.map((name) => [name, { as, params }])),
    previewRetention: { as, params, body },
    runRetention: { as, params, body: { kinds: [] } },
  };
}

/** A post in general that would be stored, were it not for two things: what it answers, and its file. */
function channelRequests(as: Sending['as']): Record<string, Sending> {
  const params = { channelId: general.id };
  const body = { channel_id: general.id, message: 'Good morning', root_id: newId(), file_ids: [newId()] };
  return {
    getChannel: { as, params },
    getChannelMember: { as, params: { ...params, userId: team.member.id } },
    listPosts: { as, params },
    addPost: { as, body: { ...body, props: { mood: 'calm' }, pending_post_id: 'mine' } },
    ...defaultChannelRequests(as),
    ...complianceRequests(),
    getFileInfo: { as, params: { fileId: newId() } },
  };
}

/** General and a channel that is not there: what is spoilt and goes unnoticed would be saved. */
function defaultChannelRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id };
  const body = { default_channels: [general.id, newId()], add_existing: true };
  return {
    listTeamChannels: { as, params },
    getDefaultChannels: { as, params },
    saveDefaultChannels: { as, params, body },
    previewDefaultChannels: { as, params, body: { ...body, default_channels: [general.id] } },
    getChannelJoin: { as, params },
    listChannelGroups: { as, params },
    saveChannelGroup: { as, params, body: { group_id: newId(), channel_ids: [general.id] } },
    previewChannelGroup: { as, params, body: { group_id: newId(), channel_ids: [general.id] } },
  };
}

/** For a channel that doesn't exist: what goes unnoticed is answered with that. Only owners come this far. */
/** Over everything without a confirmation, and of unknown holds, so that what goes unnoticed shows. */
function holdRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id, holdId: newId() };
  const reason = { reason: 'A dispute' };
  return {
    listHolds: { as, params },
    getRecovery: { as, params },
    // The value is saved already.
    saveRecovery: { as, params, body: { recoverable_days: RECOVERABLE_DAYS } },
    restoreRun: { as: team.owner, params: { ...params, runId: newId() } },
    addHold: { as, params, body: { name: 'Hold', ...reason, user_ids: [], from: 1, to: 2 } },
    saveHold: { as, params, body: { name: 'Hold', user_ids: [newId()], settings: ['files'] } },
    releaseHold: { as: team.owner, params, body: reason },
    exportHold: { as: team.owner, params, body: reason },
    getHoldExport: { as: team.owner, params: { ...params, exportId: newId() } },
  };
}

/** About a connection of the team, as it is: what is spoilt and goes unnoticed would change it. */
function connectionRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id, connectionId: bridge.id, orderId: newId(), remoteUserId: 'nobody' };
  const rules = { public_channels: { value: 0 }, private_channels: { value: 0 } };
  return {
    listConnections: { as, params },
    acceptConnection: { as: team.owner, params },
    leaveConnection: { as: team.owner, params: { ...params, connectionId: newId() } },
    pauseConnection: { as, params, body: { paused: false } },
    listConnectedUsers: { as, params },
    askConnectedServer: { as, params, body: { action: 'deactivate', user_ids: ['nobody'] } },
    inviteConnectedUser: { as, params, body: { email: 'nobody@example.test' } },
    unlinkConnectedUser: { as, params },
    listConnectedChannels: { as, params },
    saveConnectedDefaults: { as, params, body: { channel_ids: [] } },
    getConnectedRules: { as, params },
    saveConnectedRules: { as: team.owner, params, body: rules },
    previewConnectedRules: { as, params, body: rules },
    listOrders: { as, params },
    stopOrder: { as, params },
    listOrderRows: { as, params },
  };
}

/** By a bridge with a lease. */
function bridgeRequests(): Record<string, Sending> {
  const { headers, lease } = bridge;
  const params = { listId: newId(), page: '0', workId: newId(), permitId: newId() };
  const state = { server_version: '10.12.0', checks: [{ name: 'All', passed: true, detail: '' }] };
  return {
    takeLease: { headers, body: { lease, bridge: 'test' } },
    releaseLease: { headers: { ...headers, 'connector-lease': newId() } },
    reportStatus: { headers, body: state },
    reportRehearsal: { headers, body: { ...state, calls: 1 } },
    startList: { headers, body: { kind: 'messages', channel_id: 'unknown' } },
    addListPage: { headers, params, body: { users: [] } },
    finishList: { headers, params, body: { pages: 0 } },
    saveRemoteMessages: { headers, body: { channel_id: 'unknown', messages: [remoteMessage({ id: 'm' })] } },
    listChannelsToRead: { headers },
    takeWork: { headers },
    reportWork: { headers, params, body: { outcome: 'done', detail: '' } },
    takePermit: { headers },
    beginPermit: { headers, params },
    reportOutcomes: { headers, params, body: { outcomes: [{ id: 'm', outcome: 'gone' }] } },
  };
}

/** Of a provider that isn't one, and of unknown domains. */
function ssoRequests(): Record<string, Sending> {
  const params = { teamId: team.id };
  const ofDomain = { as: team.owner, params: { ...params, domainId: newId() } };
  return {
    getLoginOptions: { body: { login_id: 'a@example.test' } },
    listDomains: { as: team.owner, params },
    addDomain: { as: team.owner, params, body: { domain: 'gmail.com' } },
    verifyDomain: ofDomain,
    removeDomain: ofDomain,
    getSso: { as: team.owner, params },
    saveSso: { as: team.owner, params, body: { name: 'A', issuer: 'no address', client_id: 'a', group_roles: {} } },
    removeSso: { as: team.owner, params },
    testSso: { as: team.owner, params },
  };
}

function privacyRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id, userId: team.member.id };
  return {
    exportUser: { as, params, body: { reason: 'A request' } },
    getUserExport: { as, params: { ...params, exportId: newId() } },
    eraseUser: { as, params, body: { confirm: 'a@example.test' } },
  };
}

function complianceRequests(): Record<string, Sending> {
  const params = { teamId: team.id };
  const ofChannel = { as: team.owner, params: { ...params, channelId: newId() } };
  return {
    listTeamComplianceAccess: { as: team.owner, params },
    listComplianceAccess: ofChannel,
    grantComplianceAccess: { ...ofChannel, body: { user_id: team.member.id, hours: 1, reason: 'An investigation' } },
    endComplianceAccess: { ...ofChannel, query: { user_id: team.member.id } },
  };
}

/** Nothing is connected, and nothing can be: the vendor could not deliver to where this server is. */
function integrationRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id, integrationId: toIntegrationId(team.id, 'zendesk') };
  const message = base64('{"text":"{{ticket.title}}"}');
  const channel_details = [{ channel_id: general.id, channel_name: 'General' }];
  const triggers = { ticket_created: true, ticket_updated: false, message, channel_details };
  return {
    listIntegrations: { as, params: { teamId: team.id } },
    connectIntegration: { as, params, body: TOKEN_LOGIN },
    getIntegration: { as, params },
    saveIntegration: { as, params, body: { integration: params.integrationId, ...TOKEN_LOGIN, ...triggers } },
    disableIntegration: { as, params },
    previewTemplate: { as, params, body: { message } },
    testIntegration: { as, params, body: { message, channel_details } },
  };
}

/** Of a help desk that was never connected: there is nothing to be posted again. */
function deliveryRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id, integrationId: toIntegrationId(team.id, 'zendesk') };
  const ofDelivery = { as, params: { ...params, deliveryId: newId() } };
  return {
    listDeliveries: { as, params },
    getDelivery: ofDelivery,
    redeliver: ofDelivery,
    redeliverFailed: { as, params },
  };
}

/** A line of a channel that is not there is refused, and so is a name that says nothing. */
function contentRequests(as: Sending['as']): Record<string, Sending> {
  const params = { teamId: team.id };
  const line = { kind: 'message', external_id: 'm1', created_at: 1, channel_id: newId(), text: 'Good morning' };
  const headers = { ...service.headers, 'content-type': 'application/x-ndjson' };
  return {
    addContent: { params, headers, text: `${JSON.stringify(line)}\n` },
    listTokens: { as, params },
    addToken: { as, params, body: { name: ' ' } },
    getTokenPolicy: { as, params },
    saveTokenPolicy: { as, params, body: { admins_may_create: 'no' } },
    removeToken: { as, params: { ...params, tokenId: newId() } },
    listScimTokens: { as, params },
    addScimToken: { as, params, body: { name: ' ' } },
    removeScimToken: { as, params: { ...params, tokenId: newId() } },
    listScimLog: { as, params },
  };
}

describe('hostile requests', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.name} answers ${PER_CALL} spoilt requests with our error body or as if nothing was wrong`, async () => {
      const except = [...TRACES, ...(NAMED[endpoint.name] ?? [])];
      const before = await sumTables(node, { except });
      await fc.assert(
        fc.asyncProperty(faults, async (fault) => {
          const request = spoil(endpoint, rightRequest(endpoint.name), fault);
          if (!request) return;
          served += 1;
          const reply = await send(node, request);
          assert.ok(reply.status < 500, `${reply.status} ${reply.text}`);
          assert.match(String(reply.headers['content-type']), /^application\/json; charset=utf-8$/);
          if (reply.status !== 200) assert.equal(ErrorBody.parse(reply.body).status_code, reply.status);
          // Input that the schema rejects is never accepted; other faults must not change anything.
          if (fault.in === 'body' || fault.in === 'field') {
            const accepted = endpoint.body?.safeParse(JSON.parse(String(request.body))).success;
            assert.ok(accepted || reply.status >= 400, reply.text);
          }
          if (reply.status !== 200) assert.doesNotMatch(reply.text, INSIDES);
        }),
        { seed: SEED, numRuns: PER_CALL },
      );
      assert.deepEqual(await sumTables(node, { except }), before);
    });
  }

  test('one in seven reached the app, and none polluted a prototype', () => {
    assert.ok(served >= (endpoints.length * PER_CALL) / 7, `only ${served}`);
    assert.equal(({} as Record<string, unknown>).admin, undefined);
  });
});
