import { ERRORS } from '@steward/contract/api/errors';
import { PROFILE_FIELDS, type Profile } from '@steward/contract/users';
import { isMaskedName } from '@steward/contract/users/masked-names';
import { type AccountType, hasIntegrationRole, isOwnerOfTeam } from '@steward/contract/users/roles';
import { type Edit, getEdit } from '../edit.rules.ts';
import { type Caller, getRefusal, getRenameRefusal, type Target } from '../users.policy.ts';
import type { GivenType, ValidRow } from './multi-rows.rules.ts';

/** A member as far as the rules look at them. */
interface Member extends Target, Profile {
  other_teams: number;
}

/** What a row does. */
export type Plan<M extends Member = Member> =
  | { outcome: 'invited'; row: ValidRow; type: AccountType }
  | { outcome: 'changed'; row: ValidRow; member: M; edit: Edit; keptNames: number }
  | { outcome: 'unchanged'; row: ValidRow; keptNames: number }
  | { outcome: 'failed'; row: ValidRow; error: string };

const NEEDS_TYPE = 'For a new user, choose Team Admin or Team User as the account type.';
const OWNER_BY_FILE = 'A user can only be made an owner on the user list.';
const NOT_ZENDESK = 'Only the integration adds Zendesk users.';

/** Decides what a row does, by the rules of saving a single user. */
export function planRow<M extends Member>(row: ValidRow, member: M | undefined, caller: Caller): Plan<M> {
  const failed = (error: string): Plan<M> => ({ outcome: 'failed', row, error });
  if (!member) {
    const { type = 2 } = row;
    return type === 1 || type === 2 ? { outcome: 'invited', row, type } : failed(NEEDS_TYPE);
  }
  if (member.state === 'deactivated') return failed(ERRORS['users.deactivated'].message);
  const misnomer = getMisnomer(row.type, member);
  if (misnomer !== undefined) return failed(misnomer);
  const masked = PROFILE_FIELDS.filter((name) => isMaskedName(row.profile[name] ?? '', member[name]));
  const keptNames = masked.length;
  const kept = Object.fromEntries(masked.map((name) => [name, member[name]]));
  const edit = getEdit(member, { ...row.profile, ...kept, account_type: toChosenType(row.type) });
  if (!edit.profile && !edit.roles) return { outcome: 'unchanged', row, keptNames };
  const refusal = getRefusal('edit', member, caller) ?? (edit.profile ? getRenameRefusal(member) : undefined);
  if (refusal === 'users.own_account') return failed("You can't change your own account here.");
  return refusal ? failed(ERRORS[refusal].message) : { outcome: 'changed', row, member, edit, keptNames };
}

/** Why a word for the account type doesn't fit a member: only the list itself makes owners and Zendesk users. */
function getMisnomer(type: GivenType | undefined, { roles }: Member): string | undefined {
  if (type === 'owner' && !isOwnerOfTeam(roles)) return OWNER_BY_FILE;
  if (type === 'zendesk' && !hasIntegrationRole(roles)) return NOT_ZENDESK;
  return undefined;
}

/** Words that only describe a user keep the account type that they have. */
function toChosenType(type: GivenType | undefined): AccountType | undefined {
  return type === 1 || type === 2 ? type : undefined;
}
