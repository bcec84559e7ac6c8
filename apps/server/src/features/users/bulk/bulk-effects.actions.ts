import type { AuditDetails } from '@steward/contract/audit/details';
import type { BulkAction } from '@steward/contract/users/bulk';
import { toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { type EndedAccess, endAccess, signOut } from '#workspace/access/memberships/end-membership.actions.ts';
import { sendInvitations } from '#workspace/access/memberships/invitations.actions.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import { applyGroupChannels } from '#workspace/channels/apply-groups.actions.ts';
import { leaveChannels } from '#workspace/channels/channels.store.ts';
import { notifyUnlinked } from '#workspace/notices/notify-links.ts';
import { findToday, saveEndDates } from '#workspace/users/end-dates.actions.ts';
import { keepEnd } from '#workspace/users/end-dates.rules.ts';
import { removeMembership, saveAdopted, saveDeactivated, saveRoles } from '#workspace/users/memberships.store.ts';
import { toEndChanges } from '../edit.rules.ts';
import type { BulkTarget } from './bulk-targets.store.ts';

/** The audit log stores these numbers of ended sessions, links and tokens. */
export interface Ended {
  sessions: number;
  links: number;
  tokens: number;
}

type Changes = Partial<Ended> & Pick<AuditDetails<'users.bulk_changed'>, 'end_dates'>;

/** The users of one batch, locked and allowed, and the admin who acts on them. */
export interface Batch {
  teamId: string;
  callerId: string;
  targets: readonly BulkTarget[];
  ids: readonly string[];
  /** The end date to set; null for other actions. */
  endsOn: string | null;
}

type Effect = (trx: Trx, deps: Deps, batch: Batch) => Promise<Changes>;

function countEnded({ revoked, links, tokens }: EndedAccess): Ended {
  return { sessions: revoked, links, tokens };
}

const revoke: Effect = async (trx, deps, { teamId, ids }) => {
  const { sessions, links } = await signOut(trx, deps, { teamId, userId: ids });
  return { sessions: sessions.length, links };
};

type Members = Pick<Batch, 'teamId' | 'ids'>;

async function deactivate(trx: Trx, deps: Deps, { teamId, ids }: Members): Promise<Ended> {
  await saveDeactivated(trx, { teamId, userId: ids, deactivated: true });
  return countEnded(await endAccess(trx, deps, { teamId, userId: ids }));
}

const reactivate: Effect = async (trx, deps, { teamId, ids, targets }) => {
  // The last day of these is over, and the job has yet to end their sessions and tokens.
  const unended = targets.filter(({ access_ended }) => !access_ended).map(({ id }) => id);
  await deactivate(trx, deps, { teamId, ids: unended });
  await saveDeactivated(trx, { teamId, userId: ids, deactivated: false });
  const today = await findToday(trx, teamId);
  const passed = targets.filter(({ ends_on }) => keepEnd(ends_on, today) !== ends_on);
  const changes = await saveEnds(trx, { teamId, targets: passed, endsOn: null });
  await applyGroupChannels(trx, teamId, ids);
  return changes;
};

async function saveEnds(
  trx: Trx,
  { teamId, targets, endsOn }: Pick<Batch, 'teamId' | 'targets' | 'endsOn'>,
): Promise<Changes> {
  const ends = targets.map(({ id, ends_on }) => ({ id, before: ends_on, ends_on: endsOn }));
  await saveEndDates(trx, teamId, ends);
  return toEndChanges(ends);
}

/** A job without a date removes them. */
const setEnd: Effect = (trx, _deps, batch) => saveEnds(trx, batch);

const remove: Effect = async (trx, deps, { teamId, ids, targets }) => {
  // A deactivated user may still use other teams: their sessions there stay.
  const active = targets.filter(({ state, access_ended }) => state !== 'invited' && !access_ended).map(({ id }) => id);
  const ended = await endAccess(trx, deps, { teamId, userId: active });
  await notifyUnlinked(trx, deps, { teamId, userIds: ids, reason: 'removed' });
  await leaveChannels(trx, teamId, ids);
  await removeMembership(trx, teamId, ids);
  return countEnded(ended);
};

const makeAdmin: Effect = async (trx, _deps, { teamId, ids }) => {
  await saveRoles(trx, { teamId, userId: ids, roles: toRoles(1) });
  return {};
};

const makeUser: Effect = async (trx, _deps, { teamId, ids }) => {
  await saveRoles(trx, { teamId, userId: ids, roles: toRoles(2) });
  // The service tokens of a former admin end.
  return { tokens: await stopTokens(trx, teamId, ids) };
};

const resend: Effect = async (trx, deps, { teamId, callerId, targets, ids }) => {
  await saveAdopted(trx, { teamId, invitedBy: callerId, ids });
  await sendInvitations(trx, deps, { teamId, invitedBy: callerId, invitations: targets });
  return {};
};

const cancelInvitation: Effect = async (trx, _deps, { teamId, ids }) => {
  await removeMembership(trx, teamId, ids);
  return {};
};

/** Each action has the same effects as the action on a single user. */
export const EFFECTS: Readonly<Record<BulkAction, Effect>> = {
  revoke,
  deactivate,
  reactivate,
  remove,
  make_admin: makeAdmin,
  make_user: makeUser,
  set_end: setEnd,
  remove_end: setEnd,
  resend,
  cancel_invitation: cancelInvitation,
};
