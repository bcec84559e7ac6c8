import type { AuditDetails } from '@steward/contract/audit/details';
import { PROFILE_FIELDS, type Profile, type ProfileInput, pickProfile } from '@steward/contract/users';
import { type AccountType, type MemberState, toAccountType, toRoles } from '@steward/contract/users/roles';

interface Edited extends Profile {
  roles: readonly string[];
  ends_on: string | null;
}

/** Unless the caller says that it edits a user, an empty name was left empty and doesn't clear the stored one. */
export function withoutEmptyNames(form: ProfileInput): ProfileInput {
  return Object.fromEntries(PROFILE_FIELDS.filter((name) => form[name]).map((name) => [name, form[name]]));
}

/** The changes that a form makes to a member; empty if there are none. */
export interface Edit {
  /** All names, if one of them changes. */
  profile?: Profile;
  /** The new roles, if the account type changes. */
  roles?: string[];
  /** The service tokens of a former admin end. */
  endsTokens?: boolean;
  /** The new end date, if it changes; null for none. */
  endsOn?: string | null;
}

interface EditForm extends ProfileInput {
  account_type?: AccountType | undefined;
  ends_on?: string | null | undefined;
}

/** Compares a form with what is stored. Absent fields stay as they are; an owner has the account type of an admin. */
export function getEdit(member: Edited, form: EditForm): Edit {
  const edit: Edit = {};
  const before = pickProfile(member);
  const profile = { ...before, ...pickProfile(form) };
  if (PROFILE_FIELDS.some((name) => profile[name].normalize('NFC') !== before[name])) edit.profile = profile;
  const { account_type = toAccountType(member.roles) } = form;
  if (account_type !== toAccountType(member.roles)) {
    edit.roles = toRoles(account_type);
    edit.endsTokens = account_type === 2;
  }
  if (form.ends_on !== undefined && form.ends_on !== member.ends_on) edit.endsOn = form.ends_on;
  return edit;
}

export function isUnchanged({ profile, roles, endsOn }: Edit): boolean {
  return !profile && !roles && endsOn === undefined;
}

/** An invited user gets no rights before they accept. */
export function makesAdmin({ state }: { state: MemberState }, { roles }: Edit): boolean {
  return state === 'active' && roles !== undefined && toAccountType(roles) === 1;
}

export interface EndEdit {
  id: string;
  /** Null for none. */
  before: string | null;
  ends_on: string | null;
}

/** Changed end dates for the audit log: users with the same two dates together. Nothing without a change. */
export function toEndChanges(edits: readonly EndEdit[]): Pick<AuditDetails<'users.bulk_changed'>, 'end_dates'> {
  const groups = Map.groupBy(edits, ({ before, ends_on }) => `${before} ${ends_on}`);
  const changes = [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const user_ids = same.map(({ id }) => id);
    return [{ user_ids, before: { ends_on: first.before }, after: { ends_on: first.ends_on } }];
  });
  return changes.length === 0 ? {} : { end_dates: changes };
}
