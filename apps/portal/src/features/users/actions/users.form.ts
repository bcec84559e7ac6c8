import { PROFILE_FIELDS, type Profile, pickProfile, type User, UserForm } from '@steward/contract/users';
import { toAccountType, toRoles } from '@steward/contract/users/roles';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';

/** Account types are strings, because radio buttons only hold strings. */
export interface UserValues extends Profile {
  email: string;
  account_type: '1' | '2';
}

export const PROFILE_LABELS: Record<keyof Profile, string> = { first_name: 'First name', last_name: 'Last name' };

/** A new user starts with the defaults. */
export function getFormValues(user: User | null): UserValues {
  const profile = mapProfile((name) => user?.[name] ?? '');
  if (user === null) return { email: '', account_type: '2', ...profile };
  return { email: user.email, account_type: toAccountType(user.roles) === 1 ? '1' : '2', ...profile };
}

export function toRequestBody(values: UserValues): UserForm {
  return {
    email: values.email.trim(),
    account_type: values.account_type === '1' ? 1 : 2,
    ...mapProfile((name) => values[name].trim()),
  };
}

function mapProfile<Value>(toValue: (name: keyof Profile) => Value): Record<keyof Profile, Value> {
  return Object.fromEntries(PROFILE_FIELDS.map((name) => [name, toValue(name)])) as Record<keyof Profile, Value>;
}

const LABELS: Labels<keyof UserValues> = {
  email: 'The email address',
  account_type: 'The account type',
  ...mapProfile((name) => `The ${PROFILE_LABELS[name].toLowerCase()}`),
};

export function validateUser(values: UserValues): FieldErrors<keyof UserValues> {
  if (values.email.trim() === '') return { email: 'Email is required.' };
  return rewordErrors(collectErrors(UserForm.safeParse(toRequestBody(values)).error?.issues ?? [], LABELS));
}

export function fieldErrors(message: string): FieldErrors<keyof UserValues> {
  return rewordErrors(toFieldErrors(message, LABELS));
}

function rewordErrors(errors: FieldErrors<keyof UserValues>): FieldErrors<keyof UserValues> {
  const isInvalid = errors.email?.includes('is not an email') ?? false;
  return isInvalid ? { ...errors, email: 'Enter a valid email address.' } : errors;
}

/** The row is shown like this until the list is fetched again. No edit changes which actions are allowed. */
export function applyUserForm<Edited extends User>(user: Edited, saved: UserForm): Edited {
  const { account_type } = saved;
  return { ...user, ...pickProfile(saved), account_type, roles: toRoles(account_type) };
}
