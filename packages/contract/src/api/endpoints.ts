import * as account from '../account/account.ts';
import * as email from '../account/email.ts';
import * as memberships from '../account/memberships.ts';
import * as preferences from '../account/preferences.ts';
import * as audit from '../audit/audit.ts';
import * as channels from '../channels/channels.ts';
import * as compliance from '../channels/compliance.ts';
import * as defaults from '../channels/defaults.ts';
import * as groups from '../channels/groups.ts';
import * as connections from '../connections/connections.ts';
import * as connector from '../connections/connector.ts';
import * as content from '../content.ts';
import * as directory from '../directory/directory.ts';
import * as factors from '../factors/factors.ts';
import * as files from '../files.ts';
import * as home from '../home.ts';
import * as deliveries from '../integrations/deliveries.ts';
import * as integrations from '../integrations/integrations.ts';
import * as foresight from '../retention/foresight.ts';
import * as holds from '../retention/holds.ts';
import * as recovery from '../retention/recovery.ts';
import * as retention from '../retention/retention.ts';
import * as scim from '../scim/scim.ts';
import * as security from '../security.ts';
import * as loginOptions from '../session/login-options.ts';
import * as passkey from '../session/passkey.ts';
import * as session from '../session/session.ts';
import * as teams from '../session/teams.ts';
import * as signup from '../signup.ts';
import * as connection from '../sso/connection.ts';
import * as waiting from '../sso/continue.ts';

import * as domains from '../sso/domains.ts';
import * as identities from '../sso/identities.ts';
import * as team from '../team.ts';
import * as tokens from '../tokens.ts';
import * as bulk from '../users/bulk.ts';
import * as usersFactors from '../users/factors.ts';
import * as inactivity from '../users/inactivity.ts';
import * as invitationLinks from '../users/invitation-links.ts';
import * as invitations from '../users/invitations.ts';
import * as lifecycle from '../users/lifecycle.ts';
import * as multi from '../users/multi.ts';
import * as panel from '../users/panel.ts';
import * as privacy from '../users/privacy.ts';
import * as sessions from '../users/sessions.ts';
import * as signIns from '../users/sign-ins.ts';
import * as users from '../users/users.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** Every call of the API, for the conformance test, the authorization matrix and the reference. */
export const endpoints: readonly AnyEndpoint[] = [
  session.login,
  loginOptions.getLoginOptions,
  passkey.getPasskeyOptions,
  passkey.loginWithPasskey,
  session.cookieLogin,
  session.getMe,
  session.logout,
  session.listStatuses,
  session.sendPasswordReset,
  session.checkResetLink,
  session.resetPassword,
  signup.signUp,
  signup.checkSignUp,
  signup.finishSignUp,
  signup.setUp,
  teams.listTeams,
  teams.listTeamMembers,
  users.listUsers,
  panel.getUser,
  users.saveUser,
  users.revokeSessions,
  sessions.listSessions,
  sessions.revokeSession,
  invitations.getInvitation,
  invitations.resendInvitation,
  invitations.cancelInvitation,
  invitations.listFailedInvitations,
  invitationLinks.listInvitationLinks,
  invitationLinks.addInvitationLink,
  invitationLinks.revokeInvitationLink,
  invitationLinks.checkInvitationLink,
  invitationLinks.askToJoin,
  inactivity.getInactivity,
  inactivity.saveInactivity,
  inactivity.previewInactivity,
  inactivity.saveInactivityException,
  inactivity.removeInactivityException,
  inactivity.confirmInactivityNight,
  inactivity.undoInactivityNight,
  inactivity.checkStillNeeded,
  inactivity.confirmStillNeeded,
  inactivity.reportActivity,
  multi.saveUsers,
  signIns.listSignIns,
  privacy.exportUser,
  privacy.getUserExport,
  privacy.listUserExports,
  privacy.listFormerUsers,
  privacy.eraseUser,
  privacy.listErasedUsers,
  privacy.exportOwnData,
  privacy.getOwnExport,
  lifecycle.deactivateUser,
  lifecycle.reactivateUser,
  lifecycle.removeUser,
  lifecycle.setOwner,
  usersFactors.resetFactors,
  bulk.startBulk,
  bulk.getBulk,
  account.saveProfile,
  account.savePicture,
  account.removePicture,
  account.changePassword,
  email.requestEmailChange,
  email.checkEmailLink,
  email.confirmEmail,
  preferences.getPreferences,
  preferences.savePreferences,
  factors.getFactors,
  factors.addTotp,
  factors.confirmTotp,
  factors.removeTotp,
  factors.addPasskeyOptions,
  factors.addPasskey,
  factors.removePasskey,
  factors.renewRecoveryCodes,
  factors.reauthenticate,
  account.listOwnSessions,
  account.endOwnSession,
  account.endOtherSessions,
  memberships.listOwnInvitations,
  memberships.answerInvitation,
  memberships.leaveTeam,
  home.getAttention,
  home.getPeopleSummary,
  home.getSignInSummary,
  home.getStorageSummary,
  home.getRetentionSummary,
  home.getIntegrationsSummary,
  directory.listEntries,
  directory.addEntries,
  directory.saveEntries,
  directory.removeEntry,
  directory.restoreEntry,
  directory.uploadEntries,
  directory.startImport,
  directory.finishImport,
  directory.listImports,
  directory.getImport,
  directory.undoImport,
  directory.listKeptEntries,
  channels.getChannel,
  channels.getChannelMember,
  channels.listPosts,
  channels.addPost,
  defaults.listTeamChannels,
  defaults.getDefaultChannels,
  defaults.saveDefaultChannels,
  defaults.previewDefaultChannels,
  groups.listChannelGroups,
  groups.previewChannelGroup,
  groups.saveChannelGroup,
  defaults.getChannelJoin,
  compliance.listTeamComplianceAccess,
  compliance.listComplianceAccess,
  compliance.grantComplianceAccess,
  compliance.endComplianceAccess,
  files.getFileInfo,
  content.addContent,
  tokens.listTokens,
  security.getSecurityPolicy,
  security.saveSecurityPolicy,
  team.getTeamSettings,
  team.previewTimeZone,
  team.saveTeamSettings,
  tokens.addToken,
  tokens.removeToken,
  tokens.getTokenPolicy,
  tokens.saveTokenPolicy,
  domains.listDomains,
  domains.addDomain,
  domains.verifyDomain,
  domains.removeDomain,
  connection.getSso,
  connection.saveSso,
  connection.removeSso,
  identities.unlinkIdentity,
  identities.listOwnLinks,
  identities.linkOwnAccount,
  waiting.getWaitingSignIn,
  waiting.finishSignIn,
  connection.testSso,
  scim.listScimTokens,
  scim.addScimToken,
  scim.removeScimToken,
  scim.listScimLog,
  audit.listAuditEvents,
  retention.getFileRetention,
  retention.saveFileRetention,
  retention.getMessageRetention,
  retention.saveMessageRetention,
  retention.getNoteRetention,
  retention.saveNoteRetention,
  retention.getTaskRetention,
  retention.saveTaskRetention,
  retention.getMeetingRetention,
  retention.saveMeetingRetention,
  retention.getVoiceRetention,
  retention.saveVoiceRetention,
  retention.previewRetention,
  retention.getRetention,
  retention.getRetentionStored,
  foresight.getRetentionAges,
  foresight.getRetentionForecast,
  foresight.listDueItems,
  holds.listHolds,
  holds.addHold,
  holds.saveHold,
  holds.releaseHold,
  holds.exportHold,
  holds.getHoldExport,
  recovery.getRecovery,
  recovery.saveRecovery,
  recovery.restoreRun,
  retention.runRetention,
  retention.listRetentionRuns,
  integrations.listIntegrations,
  integrations.connectIntegration,
  integrations.getIntegration,
  integrations.saveIntegration,
  integrations.disableIntegration,
  integrations.previewTemplate,
  integrations.testIntegration,
  deliveries.listDeliveries,
  deliveries.getDelivery,
  deliveries.redeliver,
  deliveries.redeliverFailed,
  connections.listConnections,
  connections.acceptConnection,
  connections.leaveConnection,
  connections.pauseConnection,
  connections.listConnectedUsers,
  connections.askConnectedServer,
  connections.listConnectedChannels,
  connections.saveConnectedDefaults,
  connections.getConnectedRules,
  connections.saveConnectedRules,
  connections.previewConnectedRules,
  connections.listOrders,
  connections.stopOrder,
  connections.listOrderRows,
  connector.takeLease,
  connector.releaseLease,
  connector.reportStatus,
  connector.reportRehearsal,
  connector.startList,
  connector.addListPage,
  connector.finishList,
  connector.saveRemoteMessages,
  connector.listChannelsToRead,
  connector.takeWork,
  connector.reportWork,
  connector.takePermit,
  connector.beginPermit,
  connector.reportOutcomes,
];
