import { ERRORS, type ErrorId } from '@steward/contract/api/errors';
import { type saveUsers as endpoint, UserRow, type UserRowError } from '@steward/contract/users/multi';
import { toRoles } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { notifyNewAdmins } from '#workspace/notices/new-managers.ts';
import { findByEmail, type MemberRow } from '#workspace/people/memberships.store.ts';
import { findPersonName } from '#workspace/people/people.store.ts';
import { inviteAddress } from '#workspace/teams/invite.ts';
import { applyEdit, CHANGE_ONESELF, type Edit, makesAdmin, planEdit } from '../users.actions.ts';
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
  | { kind: 'edit'; member: MemberRow; edit: Edit }
  | { kind: 'unchanged' }
  | { kind: 'error'; error: string };

/** Adds or edits users by email, each row by the rules of a single one. */
export async function saveUsers(trx: Trx, deps: Deps, input: Input): Promise<Changed<typeof endpoint>> {
  const { teamId, caller, rows, isPreview } = input;
  const plans = await planRows(trx, input);
  const saved = isPreview ? undefined : await applyPlans(trx, deps, { ...input, plans });
  const errors: UserRowError[] = [];
  const counts = { invited: 0, changed: 0, unchanged: 0 };
  for (const [at, plan] of plans.entries()) {
    if (plan.kind === 'error') errors.push({ ...toObject(rows[at]), error: plan.error });
    else if (plan.kind === 'invite') counts.invited += 1;
    else counts[plan.kind === 'edit' ? 'changed' : 'unchanged'] += 1;
  }
  const isNothing = counts.invited + counts.changed === 0;
  return {
    answer: { status_code: 200, ...counts, errors },
    audit:
      saved === undefined || isNothing
        ? null
        : { action: 'users.added_many', teamId, actorId: caller.personId, target: teamId, details: saved },
  };
}

/**
 * A row is repeated as it was sent. One that isn't an object has no fields, and lists and objects in a row are left out: no
 * field takes them, and a deeply nested one can't be written.
 */
function toObject(row: unknown): object {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return {};
  return Object.fromEntries(Object.entries(row).filter(([, value]) => typeof value !== 'object'));
}

/** Decides every row before anything is written. Members are locked in the order of addresses: two calls never deadlock. */
async function planRows(trx: Trx, { teamId, caller, rows }: Input): Promise<Plan[]> {
  const plans: Plan[] = [];
  const readable = new Map<string, { row: UserRow; at: number }>();
  for (const [at, sent] of rows.entries()) {
    const { data: row, error } = UserRow.safeParse(sent);
    if (error) plans[at] = { kind: 'error', error: describeIssue(error.issues) };
    else if (readable.has(row.email)) plans[at] = { kind: 'error', error: 'email: is in an earlier row' };
    else readable.set(row.email, { row, at });
  }
  for (const { row, at } of sortByEmail([...readable.values()], ({ row: { email } }) => email))
    plans[at] = planRow(row, await findByEmail(trx, teamId, row.email), caller);
  return plans;
}

function describeIssue([issue]: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  return [issue?.path.join('.'), issue?.message].filter(Boolean).join(': ');
}

function sortByEmail<Item>(items: readonly Item[], toEmail: (item: Item) => string): Item[] {
  return items.toSorted((a, b) => (toEmail(a) < toEmail(b) ? -1 : 1));
}

function planRow(row: UserRow, member: MemberRow | undefined, caller: Caller): Plan {
  if (!member) {
    if (row.account_type === undefined)
      return { kind: 'error', error: 'account_type: must be Team Admin or Team User' };
    return { kind: 'invite', row };
  }
  if (member.state === 'deactivated') return refused('users.deactivated');
  const edit = planEdit(member, row);
  if (!edit.isRenamed && !edit.changesRoles) return { kind: 'unchanged' };
  const refusal = getRefusal('edit', member, caller) ?? (edit.isRenamed ? getRenameRefusal(member) : undefined);
  return refusal === undefined ? { kind: 'edit', member, edit } : refused(refusal);
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
  const newAdmins: string[] = [];
  for (const plan of plans) {
    if (plan.kind !== 'edit') continue;
    const { member, edit } = plan;
    await applyEdit(trx, { teamId, member, edit });
    if (edit.changesRoles) saved[edit.roles.includes('team_admin') ? 'made_admins' : 'made_users'].push(member.id);
    if (makesAdmin(member, edit)) newAdmins.push(member.id);
    if (edit.isRenamed) saved.renamed_users.push(member.id);
  }
  await notifyNewAdmins(trx, deps, { teamId, actorId: caller.personId, personIds: newAdmins });
  const inviter = await findPersonName(trx, caller.personId);
  const invites = plans.flatMap((plan, at) => (plan.kind === 'invite' ? [{ row: plan.row, at }] : []));
  for (const { row, at } of sortByEmail(invites, ({ row: { email } }) => email)) {
    const roles = toRoles(row.account_type ?? 2);
    const id = await inviteAddress(trx, deps, { ...row, teamId, inviter, invitedBy: caller.personId, roles });
    // Another call invited the same address between our lookup and our insert.
    if (id === undefined) plans[at] = { kind: 'error', error: 'This address was just added. Try again.' };
    else saved.invited_users.push(id);
  }
  return saved;
}
