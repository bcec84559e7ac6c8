import {
  type ListedUser,
  mapProfile,
  PROFILE_TEXTS,
  type Profile,
  pickProfile,
  type User,
  UserForm,
} from '@steward/contract/users';
import { toAccountType, toRoles } from '@steward/contract/users/roles';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';
import { toEndDate } from '../end-date-field.tsx';

/** Account types are strings, because radio buttons only hold strings. */
export interface UserValues extends Profile {
  email: string;
  /** '' for none. */
  ends_on: string;
  account_type: '1' | '2';
}

type Edited = User & Pick<ListedUser, 'ends_on'>;

/** A new user starts with the defaults. */
export function getFormValues(user: Edited | null): UserValues {
  const profile = mapProfile((name) => user?.[name] ?? '');
  if (user === null) return { email: '', account_type: '2', ...profile, ends_on: '' };
  return {
    ...profile,
    ends_on: user.ends_on ?? '',
    email: user.email,
    account_type: toAccountType(user.roles) === 1 ? '1' : '2',
  };
}

/** An end date that wasn't edited isn't sent: another admin may have moved it in the meantime. */
export function toRequestBody(values: UserValues, user: Pick<ListedUser, 'ends_on'> | null): UserForm {
  const isMoved = values.ends_on !== (user?.ends_on ?? '');
  return {
    ...(isMoved && { ends_on: toEndDate(values.ends_on) }),
    email: values.email.trim(),
    account_type: values.account_type === '1' ? 1 : 2,
    ...mapProfile((name) => values[name].trim()),
  };
}

const LABELS: Labels<keyof UserValues> = {
  email: 'The email address',
  account_type: 'The account type',
  ends_on: 'The end date',
  ...mapProfile((name) => `The ${PROFILE_TEXTS[name].label.toLowerCase()}`),
};

export function validateUser(values: UserValues): FieldErrors<keyof UserValues> {
  if (values.email.trim() === '') return { email: 'Email is required.' };
  return rewordErrors(collectErrors(UserForm.safeParse(toRequestBody(values, null)).error?.issues ?? [], LABELS));
}

export function fieldErrors(message: string): FieldErrors<keyof UserValues> {
  return rewordErrors(toFieldErrors(message, LABELS));
}

function rewordErrors(errors: FieldErrors<keyof UserValues>): FieldErrors<keyof UserValues> {
  const isInvalid = errors.email?.includes('is not an email') ?? false;
  return isInvalid ? { ...errors, email: 'Enter a valid email address.' } : errors;
}

/** The row is shown like this until the list is fetched again. No edit changes which actions are allowed. */
export function applyUserForm<Row extends Edited>(user: Row, saved: UserForm): Row {
  const { account_type, ends_on = user.ends_on } = saved;
  return { ...user, ...pickProfile(saved), account_type, ends_on, roles: toRoles(account_type) };
}
