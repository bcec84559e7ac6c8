import { PROFILE_FIELDS, type Profile, type ProfileInput, pickProfile } from '@steward/contract/users';
import { type AccountType, type MemberState, toAccountType, toRoles } from '@steward/contract/users/roles';

interface Edited extends Profile {
  roles: readonly string[];
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
}

/** Compares a form with what is stored. Absent fields stay as they are; an owner has the account type of an admin. */
export function getEdit(member: Edited, form: ProfileInput & { account_type?: AccountType | undefined }): Edit {
  const edit: Edit = {};
  const before = pickProfile(member);
  const profile = { ...before, ...pickProfile(form) };
  if (PROFILE_FIELDS.some((name) => profile[name].normalize('NFC') !== before[name])) edit.profile = profile;
  const { account_type = toAccountType(member.roles) } = form;
  if (account_type !== toAccountType(member.roles)) {
    edit.roles = toRoles(account_type);
    edit.endsTokens = account_type === 2;
  }
  return edit;
}

/** An invited user gets no rights before they accept. */
export function makesAdmin({ state }: { state: MemberState }, { roles }: Edit): boolean {
  return state === 'active' && roles !== undefined && toAccountType(roles) === 1;
}
