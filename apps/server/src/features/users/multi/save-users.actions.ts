import { ERRORS, type ErrorId } from '@steward/contract/api/errors';
import { PROFILE_FIELDS, type ProfileInput, pickProfile } from '@steward/contract/users';
import { isMaskedName } from '@steward/contract/users/masked-names';
import {
  type saveUsers as endpoint,
  UserRow,
  type UserRowBefore,
  type UserRowError,
  type UserRowOutcome,
} from '@steward/contract/users/multi';
import { toAccountType, toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { findByEmails, type MemberRow } from '#workspace/people/memberships.store.ts';
import { findPersonName } from '#workspace/people/people.store.ts';
import { inviteAddress } from '#workspace/teams/invite.ts';
import { applyEdit, CHANGE_ONESELF, type Edit, planEdit } from '../users.actions.ts';
import { type Caller, getRefusal, getRenameRefusal } from '../users.policy.ts';

interface Input {
  teamId: string;
  caller: Caller;
  rows: readonly unknown[];
  isPreview: boolean;
}

/** What will become of one row. */
type Plan =
  | { kind: 'invite'; row: UserRow }
  | { kind: 'edit'; member: MemberRow; edit: Edit; keptNames: number }
  | { kind: 'unchanged'; keptNames: number }
  | { kind: 'error'; error: string };

/** Most users whose present values a preview has. */
const BEFORE_MAX = 100;

/** Adds or edits users by email, each row by the rules of a single one. */
export async function saveUsers(trx: Trx, deps: Deps, input: Input): Promise<Changed<typeof endpoint>> {
  const { teamId, caller, rows, isPreview } = input;
  const plans = await planRows(trx, input);
  const saved = isPreview ? undefined : await applyPlans(trx, deps, { ...input, plans });
  const outcomes = plans.map(toOutcome);
  const count = (wanted: UserRowOutcome) => outcomes.filter((outcome) => outcome === wanted).length;
  const counts = { invited: count('invited'), changed: count('changed'), unchanged: count('unchanged') };
  const isNothing = counts.invited + counts.changed === 0;
  return {
    answer: {
      status_code: 200,
      ...counts,
      errors: plans.flatMap((plan, at) => toErrors(plan, at, rows[at])),
      ...(isPreview && { preview: describePreview(plans, outcomes) }),
    },
    audit:
      saved === undefined || isNothing
        ? null
        : { action: 'users.added_many', teamId, actorId: caller.personId, target: teamId, details: saved },
  };
}

function toOutcome({ kind }: Plan): UserRowOutcome {
  return ({ invite: 'invited', edit: 'changed', unchanged: 'unchanged', error: 'failed' } as const)[kind];
}

function toErrors(plan: Plan, at: number, row: unknown): UserRowError[] {
  return plan.kind === 'error' ? [{ ...toObject(row), error: plan.error, row: at }] : [];
}

function describePreview(plans: readonly Plan[], outcomes: UserRowOutcome[]) {
  const before: UserRowBefore[] = [];
  let keptNames = 0;
  for (const [row, plan] of plans.entries()) {
    if (plan.kind === 'edit' && before.length < BEFORE_MAX)
      before.push({ row, ...pickProfile(plan.member), account_type: toAccountType(plan.member.roles) });
    if (plan.kind === 'edit' || plan.kind === 'unchanged') keptNames += plan.keptNames;
  }
  return { outcomes, before, kept_names: keptNames };
}

/**
 * A row is repeated as it was sent. One that isn't an object has no fields, and lists and objects in a row are left out: no
 * field takes them, and a deeply nested one can't be written.
 */
function toObject(row: unknown): object {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return {};
  return Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== 'object'));
}

/** Decides every row before anything is written. */
async function planRows(trx: Trx, { teamId, caller, rows }: Input): Promise<Plan[]> {
  const plans: Plan[] = [];
  const readable = new Map<string, { row: UserRow; at: number }>();
  for (const [at, sent] of rows.entries()) {
    const { data: row, error } = UserRow.safeParse(sent);
    if (error) plans[at] = { kind: 'error', error: describeIssue(error.issues) };
    else if (readable.has(row.email)) plans[at] = { kind: 'error', error: 'email: is in an earlier row' };
    else readable.set(row.email, { row, at });
  }
  const members = await findByEmails(trx, teamId, [...readable.keys()]);
  for (const [email, { row, at }] of readable) plans[at] = planRow(row, members.get(email), caller);
  return plans;
}

function describeIssue([issue]: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
}

function planRow(row: UserRow, member: MemberRow | undefined, caller: Caller): Plan {
  if (!member) {
    if (row.account_type === null) return { kind: 'error', error: 'account_type: must be Team Admin or Team User' };
    return { kind: 'invite', row };
  }
  if (member.state === 'deactivated') return refused('users.deactivated');
  const masked = PROFILE_FIELDS.filter((name) => isMaskedName(row[name] ?? '', member[name]));
  const keptNames = masked.length;
  const names: ProfileInput = {
    ...pickProfile(row),
    ...Object.fromEntries(masked.map((name) => [name, member[name]])),
  };
  const edit = planEdit(member, { ...names, account_type: row.account_type ?? undefined });
  if (!edit.isRenamed && !edit.changesRoles) return { kind: 'unchanged', keptNames };
  const refusal = getRefusal('edit', member, caller) ?? (edit.isRenamed ? getRenameRefusal(member) : undefined);
  return refusal === undefined ? { kind: 'edit', member, edit, keptNames } : refused(refusal);
}

function refused(id: ErrorId): Plan {
  return { kind: 'error', error: id === 'users.own_account' ? CHANGE_ONESELF : ERRORS[id].message };
}

/** Ids by what was done, for the audit log. */
interface Saved {
  invited_users: string[];
  made_admins: string[];
  made_users: string[];
  renamed_users: string[];
}

async function applyPlans(trx: Trx, deps: Deps, applied: Input & { plans: Plan[] }): Promise<Saved> {
  const { teamId, caller, plans } = applied;
  const saved: Saved = { invited_users: [], made_admins: [], made_users: [], renamed_users: [] };
  for (const plan of plans) {
    if (plan.kind !== 'edit') continue;
    const { member, edit } = plan;
    await applyEdit(trx, { teamId, member, edit });
    if (edit.changesRoles) saved[edit.roles.includes('team_admin') ? 'made_admins' : 'made_users'].push(member.id);
    if (edit.isRenamed) saved.renamed_users.push(member.id);
  }
  const inviter = await findPersonName(trx, caller.personId);
  const invites = plans.flatMap((plan, at) => (plan.kind === 'invite' ? [{ row: plan.row, at }] : []));
  // Two calls that invite the same addresses never wait for each other in a circle.
  for (const { row, at } of invites.toSorted((a, b) => (a.row.email < b.row.email ? -1 : 1))) {
    const roles = toRoles(row.account_type ?? 2);
    const id = await inviteAddress(trx, deps, { ...row, teamId, inviter, invitedBy: caller.personId, roles });
    // Another call invited the same address between our lookup and our insert.
    if (id === undefined) plans[at] = { kind: 'error', error: 'This address was just added. Try again.' };
    else saved.invited_users.push(id);
  }
  return saved;
}
