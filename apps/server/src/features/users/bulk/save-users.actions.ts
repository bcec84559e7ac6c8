import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Answer } from '@steward/contract/api/endpoint';
import { ERRORS } from '@steward/contract/api/errors';
import type { IfExists } from '@steward/contract/api/fields';
import { pickProfile } from '@steward/contract/users';
import type { saveUsers, UserRowOutcome } from '@steward/contract/users/multi';
import { toAccountType, toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { adoptInvitations, inviteAddresses } from '#workspace/access/memberships/invitations.actions.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findToday, saveEndDates } from '#workspace/users/end-dates.actions.ts';
import {
  findIdsByEmail,
  findMembers,
  groupByEmail,
  lockMembers,
  type MemberRow,
} from '#workspace/users/members.store.ts';
import { lockTeam } from '#workspace/users/teams.store.ts';
import { type EndEdit, toEndChanges } from '../edit.rules.ts';
import { saveEdits, toExisting } from '../users.actions.ts';
import type { Caller } from '../users.policy.ts';
import { type CheckedRows, checkRows, type Plan as PlanOf, planRow, refusedRow } from './save-users.rules.ts';

type Plan = PlanOf<MemberRow>;
type Result = Answer<typeof saveUsers>;

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
  const actorId = input.caller.userId;
  await lockTeam(trx, teamId);
  const { plans, errors } = await planRows(trx, input, false);
  const changed = pick(plans, 'changed');
  const changes = await saveEdits(trx, deps, { teamId, actorId, edited: changed });
  const invited = pick(plans, 'invited');
  const users = invited.map(({ row: { email, profile }, type }) => ({ email, ...profile, roles: toRoles(type) }));
  const ids = await inviteAddresses(trx, deps, { teamId, invitedBy: actorId, users });
  // Another call invited these addresses between our lookup and our insert.
  for (const { row } of invited) if (!ids.has(row.email)) errors.set(row.at, ERRORS['record.conflict'].message);
  const ends = listEnds(plans, ids);
  await saveEndDates(trx, teamId, ends);
  const known = input.ifExists === 'keep' ? [] : [...changed, ...pick(plans, 'unchanged')];
  const adopting = { teamId, invitedBy: actorId, ids: known.map(({ member }) => member.id) };
  const invited_users = [...ids.values(), ...(await adoptInvitations(trx, deps, adopting))];
  const result = answer(input, plans, errors);
  if (invited_users.length + result.changed === 0) return { answer: result, audit: null };
  const event = { action: 'users.added_many', teamId, actorId, target: teamId } as const;
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
