import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer } from '@steward/contract/api/endpoint';
import { ERRORS } from '@steward/contract/api/errors';
import type { IfExists } from '@steward/contract/api/fields';
import type { AuditDetails } from '@steward/contract/audit/details';
import { pickProfile } from '@steward/contract/users';
import type { saveUsers, UserRowOutcome } from '@steward/contract/users/multi';
import { type AccountType, toAccountType, toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { adoptInvitations, inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import { stopTokens } from '#workspace/access/tokens.store.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { notifyNewAdmins } from '#workspace/notices/notify-managers.ts';
import { findToday, saveEndDates } from '#workspace/users/end-dates.actions.ts';
import {
  findIdsByEmail,
  findMembers,
  groupByEmail,
  lockMembers,
  type MemberRow,
  saveInvitationNames,
  saveRoles,
} from '#workspace/users/memberships.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { findUserName, saveProfiles } from '#workspace/users/users.store.ts';
import { type EndEdit, makesAdmin, toEndChanges } from '../edit.rules.ts';
import { toExisting } from '../users.actions.ts';
import type { Caller } from '../users.policy.ts';
import { type CheckedRows, checkRows, type Plan as PlanOf, planRow, refusedRow } from './save-users.rules.ts';

type Plan = PlanOf<MemberRow>;
type Result = Answer<typeof saveUsers>;
type Details = AuditDetails<'users.added_many'>;

export interface SaveUsersInput {
  teamId: string;
  caller: Caller;
  rows: readonly unknown[];
  ifExists?: IfExists | undefined;
}

/** Number of rows after which the check yields to the event loop. */
const SLICE = 500;
/** Maximum changed users for which a preview shows the stored values. */
const BEFORE_MAX = 100;

async function checkAll(rows: readonly unknown[]): Promise<CheckedRows> {
  const all: CheckedRows = { valid: [], errors: new Map() };
  const seen = new Set<string>();
  for (let from = 0; from < rows.length; from += SLICE) {
    const { valid, errors } = checkRows(rows.slice(from, from + SLICE), from, seen);
    all.valid.push(...valid);
    for (const [at, error] of errors) all.errors.set(at, error);
    await nextTurn();
  }
  return all;
}

/** Plans the rows. Unless it is a preview, the users of the rows are locked until the transaction ends. */
async function planRows(
  trx: Trx,
  { teamId, caller, rows, ifExists }: SaveUsersInput,
  isPreview: boolean,
): Promise<{ plans: Plan[]; errors: Map<number, string> }> {
  const { valid, errors } = await checkAll(rows);
  const ids = await findIdsByEmail(
    trx,
    teamId,
    valid.map(({ email }) => email),
  );
  const members = groupByEmail(await (isPreview ? findMembers : lockMembers)(trx, teamId, ids));
  const today = await findToday(trx, teamId);
  const plans = valid.map((row) => planRow(row, members.get(row.email), { caller, ifExists, today }));
  for (const plan of plans) if (plan.outcome === 'failed') errors.set(plan.row.at, plan.error);
  return { plans, errors };
}

function pick<Outcome extends UserRowOutcome>(plans: readonly Plan[], outcome: Outcome) {
  return plans.filter((plan): plan is Extract<Plan, { outcome: Outcome }> => plan.outcome === outcome);
}

function answer(
  { rows, ifExists }: SaveUsersInput,
  plans: readonly Plan[],
  errors: ReadonlyMap<number, string>,
): Result {
  const count = (outcome: UserRowOutcome) =>
    plans.filter((plan) => plan.outcome === outcome && !errors.has(plan.row.at));
  return {
    status_code: 200,
    invited: count('invited').length,
    changed: count('changed').length,
    unchanged: count('unchanged').length,
    errors: [...errors].sort(([a], [b]) => a - b).map(([at, error]) => refusedRow(rows[at], error, at)),
    ...(ifExists === 'keep' && { existing: pick(plans, 'unchanged').map(({ member }) => toExisting(member)) }),
  };
}

/** Predicts the effect of each row, and writes nothing. */
export async function previewUsers(trx: Trx, input: SaveUsersInput): Promise<Result> {
  const { plans, errors } = await planRows(trx, input, true);
  const outcomes: UserRowOutcome[] = input.rows.map(() => 'failed');
  for (const { outcome, row } of plans) outcomes[row.at] = outcome;
  const before = pick(plans, 'changed')
    .slice(0, BEFORE_MAX)
    .map(({ row, member }) => ({
      row: row.at,
      ...pickProfile(member),
      account_type: toAccountType(member.roles),
      ends_on: member.ends_on,
    }));
  const keptNames = plans.map((plan) => ('keptNames' in plan ? plan.keptNames : 0));
  const kept_names = keptNames.reduce((sum, names) => sum + names, 0);
  return { ...answer(input, plans, errors), preview: { outcomes, before, kept_names } };
}

/**
 * Invites and edits the users of all rows. The team is locked first, and users in the order of their ids: two such calls wait
 * for each other and never deadlock.
 */
export async function saveUsersByEmail(
  trx: Trx,
  deps: Deps,
  input: SaveUsersInput,
): Promise<Changed<typeof saveUsers>> {
  const { teamId } = input;
  await lockTeam(trx, teamId);
  const { plans, errors } = await planRows(trx, input, false);
  const changed = pick(plans, 'changed');
  const changes = await changeAll(trx, teamId, changed);
  const userIds = changed.filter(({ member, edit }) => makesAdmin(member, edit)).map(({ member }) => member.id);
  await notifyNewAdmins(trx, deps, { teamId, actorId: input.caller.userId, userIds });
  const invited = pick(plans, 'invited');
  const ids = await inviteAll(trx, deps, { teamId, invitedBy: input.caller.userId, plans: invited });
  // Another call invited these addresses between our lookup and our insert.
  for (const { row } of invited) if (!ids.has(row.email)) errors.set(row.at, ERRORS['record.conflict'].message);
  const ends = listEnds(plans, ids);
  await saveEndDates(trx, teamId, ends);
  const known = input.ifExists === 'keep' ? [] : [...changed, ...pick(plans, 'unchanged')];
  const adopting = { teamId, invitedBy: input.caller.userId, ids: known.map(({ member }) => member.id) };
  const invited_users = [...ids.values(), ...(await adoptInvitations(trx, deps, adopting))];
  const result = answer(input, plans, errors);
  if (invited_users.length + result.changed === 0) return { answer: result, audit: null };
  const event = { action: 'users.added_many', teamId, actorId: input.caller.userId, target: teamId } as const;
  return { answer: result, audit: { ...event, details: { invited_users, ...changes, ...toEndChanges(ends) } } };
}

/** The end dates of the rows, of new and of known users. */
function listEnds(plans: readonly Plan[], invited: ReadonlyMap<string, string>): EndEdit[] {
  return plans.flatMap((plan) => {
    if (plan.outcome === 'changed' && plan.edit.endsOn !== undefined)
      return [{ id: plan.member.id, before: plan.member.ends_on, ends_on: plan.edit.endsOn }];
    const id = plan.outcome === 'invited' ? invited.get(plan.row.email) : undefined;
    return id !== undefined && plan.row.endsOn ? [{ id, before: null, ends_on: plan.row.endsOn }] : [];
  });
}

async function changeAll(
  trx: Trx,
  teamId: string,
  plans: readonly Extract<Plan, { outcome: 'changed' }>[],
): Promise<Omit<Details, 'invited_users' | 'end_dates'>> {
  const listIds = (which: (plan: (typeof plans)[number]) => unknown) =>
    plans.filter(which).map(({ member }) => member.id);
  const made = (type: AccountType) => listIds(({ edit: { roles } }) => roles && toAccountType(roles) === type);
  const [made_admins, made_users] = [made(1), made(2)];
  await saveRoles(trx, { teamId, userId: made_admins, roles: toRoles(1) });
  await saveRoles(trx, { teamId, userId: made_users, roles: toRoles(2) });
  const ended = listIds(({ edit }) => edit.endsTokens);
  if (ended.length > 0) await stopTokens(trx, teamId, ended);
  const renamed = plans.flatMap(({ member, edit: { profile } }) => (profile ? [{ ...member, ...profile }] : []));
  const isInvited = ({ state }: MemberRow) => state === 'invited';
  await saveInvitationNames(trx, teamId, renamed.filter(isInvited));
  await saveProfiles(
    trx,
    renamed.filter((member) => !isInvited(member)),
  );
  return { made_admins, made_users, renamed_users: renamed.map(({ id }) => id) };
}

async function inviteAll(
  trx: Trx,
  deps: Deps,
  {
    teamId,
    invitedBy,
    plans,
  }: { teamId: string; invitedBy: string; plans: readonly Extract<Plan, { outcome: 'invited' }>[] },
): Promise<ReadonlyMap<string, string>> {
  if (plans.length === 0) return new Map();
  const users = plans.map(({ row: { email, profile }, type }) => ({ email, ...profile, roles: toRoles(type) }));
  const inviter = await findUserName(trx, invitedBy);
  return inviteAddresses(trx, deps, { teamId, invitedBy, inviter, users });
}
