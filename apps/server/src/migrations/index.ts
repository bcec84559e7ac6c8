import type { Migration } from 'kysely/migration';
import { workspace } from './0001-workspace.ts';
import { directory } from './0002-directory.ts';
import { content } from './0003-content.ts';
import { retention } from './0004-retention.ts';
import { signup } from './0005-signup.ts';
import { integrations } from './0006-integrations.ts';
import { auditLog } from './0007-audit-log.ts';
import { attention } from './0008-attention.ts';
import { searchKeys } from './0009-search-keys.ts';
import { searchFolding } from './0010-search-folding.ts';
import { foldStoredSearch } from './0011-fold-stored-search.ts';
import { membershipStates } from './0012-membership-states.ts';
import { signIns } from './0013-sign-ins.ts';
import { auditInOrder } from './0014-audit-in-order.ts';
import { readingPeople } from './0015-reading-people.ts';
import { userJobs } from './0016-user-jobs.ts';
import { complianceAccess } from './0017-compliance-access.ts';
import { ownAccount } from './0018-own-account.ts';
import { privacy } from './0019-privacy.ts';
import { tokenRights } from './0020-token-rights.ts';
import { knownDevices } from './0021-known-devices.ts';
import { setUp } from './0022-set-up.ts';
import { auditChain } from './0023-audit-chain.ts';
import { holds } from './0024-holds.ts';
import { recovery } from './0025-recovery.ts';
import { sessionMethods } from './0026-session-methods.ts';
import { factors } from './0027-factors.ts';
import { sso } from './0028-sso.ts';
import { provisioning } from './0029-provisioning.ts';
import { peopleById } from './0030-people-by-id.ts';
import { notices } from './0031-notices.ts';
import { searchWords } from './0032-search-words.ts';
import { foldStoredNames } from './0033-fold-stored-names.ts';
import { powersOfTeams } from './0034-powers-of-teams.ts';
import { signInsOfSessions } from './0035-sign-ins-of-sessions.ts';
import { confirmedSignUps } from './0036-confirmed-sign-ups.ts';
import { linksAndZones } from './0037-links-and-zones.ts';
import { webhooks } from './0038-webhooks.ts';
import { matchingEntries } from './0039-matching-entries.ts';
import { whatWasDestroyed } from './0039-what-was-destroyed.ts';
import { invitationLinks } from './0040-invitation-links.ts';
import { endDates } from './0041-end-dates.ts';
import { monthlyEmail } from './0043-monthly-email.ts';
import { groupChannels } from './0044-group-channels.ts';
import { inactivity } from './0045-inactivity.ts';
import { connectedServers } from './0046-connected-servers.ts';
import { connectedLinks } from './0047-connected-links.ts';
import { connectedOutcomes } from './0048-connected-outcomes.ts';

/** Every migration in order; the names are what the database remembers, so they never change. */
export const migrations: Record<string, Migration> = {
  '0001-workspace': workspace,
  '0002-directory': directory,
  '0003-content': content,
  '0004-retention': retention,
  '0005-signup': signup,
  '0006-integrations': integrations,
  '0007-audit-log': auditLog,
  '0008-attention': attention,
  '0009-search-keys': searchKeys,
  '0010-search-folding': searchFolding,
  '0011-fold-stored-search': foldStoredSearch,
  '0012-membership-states': membershipStates,
  '0013-sign-ins': signIns,
  '0014-audit-in-order': auditInOrder,
  '0015-reading-people': readingPeople,
  '0016-user-jobs': userJobs,
  '0017-compliance-access': complianceAccess,
  '0018-own-account': ownAccount,
  '0019-privacy': privacy,
  '0020-token-rights': tokenRights,
  '0021-known-devices': knownDevices,
  '0022-set-up': setUp,
  '0023-audit-chain': auditChain,
  '0024-holds': holds,
  '0025-recovery': recovery,
  '0026-session-methods': sessionMethods,
  '0027-factors': factors,
  '0028-sso': sso,
  '0029-provisioning': provisioning,
  '0030-people-by-id': peopleById,
  '0031-notices': notices,
  '0032-search-words': searchWords,
  '0033-fold-stored-names': foldStoredNames,
  '0034-powers-of-teams': powersOfTeams,
  '0035-sign-ins-of-sessions': signInsOfSessions,
  '0036-confirmed-sign-ups': confirmedSignUps,
  '0037-links-and-zones': linksAndZones,
  '0038-webhooks': webhooks,
  '0039-matching-entries': matchingEntries,
  '0039-what-was-destroyed': whatWasDestroyed,
  '0040-invitation-links': invitationLinks,
  '0041-end-dates': endDates,
  '0043-monthly-email': monthlyEmail,
  '0044-group-channels': groupChannels,
  '0045-inactivity': inactivity,
  '0046-connected-servers': connectedServers,
  '0047-connected-links': connectedLinks,
  '0048-connected-outcomes': connectedOutcomes,
};

/**
 * Those that run outside a transaction: they build an index while the table is written to, or change many rows in steps. Each
 * of their statements may be repeated, since a run that was killed begins again.
 */
export const concurrent: ReadonlySet<string> = new Set([
  '0009-search-keys',
  '0011-fold-stored-search',
  '0014-audit-in-order',
  '0015-reading-people',
  '0020-token-rights',
  '0030-people-by-id',
  '0033-fold-stored-names',
  '0038-webhooks',
  '0039-matching-entries',
]);
