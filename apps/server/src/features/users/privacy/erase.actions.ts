import type { Answer } from '@steward/contract/api/endpoint';
import { Id } from '@steward/contract/api/fields';
import type * as endpoints from '@steward/contract/users/privacy';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { isUserHeld } from '#workspace/content/holds/holds.store.ts';
import { eraseLoggedCalls, eraseProvisionedUsers } from '#workspace/users/identity-providers/provisioning.store.ts';
import { barAddress } from '#workspace/users/invitation-links.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import type { TargetInput } from '../users.actions.ts';
import { getRefusal } from '../users.policy.ts';
import { erase } from './erase.job.ts';
import {
  type ErasureKey,
  type ErasureRow,
  eraseAccount,
  eraseTeamRows,
  findErasure,
  getErasedName,
  hasOtherTeams,
  reserveCode,
  startErasure,
} from './erasures.store.ts';
import { requireOwner } from './export.actions.ts';
import { findFormerMember } from './former-users.store.ts';
import { sealTraces } from './seal-traces.ts';

/**
 * Erases a former user: their names are gone when this commits, and a job searches content and the audit log for the address.
 * A repeated call returns the progress.
 */
export async function eraseUser(
  trx: Trx,
  deps: Deps,
  { teamId, userId, caller, confirm }: TargetInput & { confirm: string },
): Promise<Changed<typeof endpoints.eraseUser>> {
  // The team is locked first, so that of two such calls the second sees the result of the first.
  await lockTeam(trx, teamId);
  requireOwner(caller);
  const target = await findErasable(trx, { teamId, userId, caller });
  const key = { teamId, userId };
  if (!target) return { answer: toAnswer(await requireErased(trx, key)), audit: null };
  if (await isUserHeld(trx, teamId, userId)) refuse('holds.holds_user');
  if (confirm.toLowerCase() !== target.email.toLowerCase()) refuse('users.wrong_confirmation');
  const account = await eraseNow(trx, deps, { ...key, ...target });
  const event = { action: 'users.erased', teamId, actorId: caller.userId, target: userId } as const;
  return { answer: toAnswer(await requireErased(trx, key)), audit: { ...event, details: { account } } };
}

interface Erasable {
  email: string;
  name: string;
}

/** Returns undefined for every other user outside the team. */
async function findErasable(trx: Trx, { teamId, userId, caller }: TargetInput): Promise<Erasable | undefined> {
  if (!Id.safeParse(userId).success) refuse('record.not_found');
  const member = await findMember(trx, teamId, userId);
  if (!member) return findFormerMember(trx, teamId, userId);
  const refusal = getRefusal('erase', member, caller);
  if (refusal) refuse(refusal);
  return { email: member.email, name: `${member.first_name} ${member.last_name}`.trim() };
}

async function eraseNow(trx: Trx, deps: Deps, target: ErasureKey & Erasable): Promise<'deleted' | 'kept'> {
  const address = target.email.toLowerCase();
  const code = await reserveCode(trx, target);
  const account = (await hasOtherTeams(trx, target)) ? 'kept' : 'deleted';
  // A single word may be anyone's name, or no name at all.
  const names = target.name.includes(' ') ? [target.name.toLowerCase()] : [];
  const entryIds = await eraseTeamRows(trx, target, { address, names, replacement: getErasedName({ code }) });
  await eraseProvisionedUsers(trx, { teamId: target.teamId, userId: target.userId, address });
  await eraseLoggedCalls(trx, target.teamId, [address, ...names]);
  if (account === 'deleted') await eraseAccount(trx, target.userId);
  await barAddress(trx, deps.secrets, { teamId: target.teamId, email: address });
  const sealed = sealTraces(deps.secrets, { address, names, entryIds });
  await startErasure(trx, target, { code, account, sealed });
  await deps.jobs.send(trx, erase, { team_id: target.teamId, person_id: target.userId });
  return account;
}

async function requireErased(trx: Trx, key: ErasureKey): Promise<ErasureRow> {
  const row = await findErasure(trx, key);
  if (!row) refuse('record.not_found');
  return row;
}

function toAnswer(row: ErasureRow): Answer<typeof endpoints.eraseUser> {
  const state = row.is_done ? 'done' : 'running';
  return { status_code: 200, state, name: getErasedName(row), account: row.account };
}
