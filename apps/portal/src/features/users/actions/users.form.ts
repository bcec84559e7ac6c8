import { type User, UserForm } from '@steward/contract/users';
import { toAccountType, toRoles } from '@steward/contract/users/roles';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';

/** What the dialog holds: account types are strings there, because radio buttons know no others. */
export interface UserValues {
  email: string;
  account_type: '1' | '2';
  first_name: string;
  last_name: string;
}

/** Values that the dialog opens with: of the person to edit, else the spec's defaults (spec §5). */
export function getFormValues(person: User | null): UserValues {
  if (person === null) return { email: '', account_type: '2', first_name: '', last_name: '' };
  return {
    email: person.email,
    account_type: toAccountType(person.roles) === 1 ? '1' : '2',
    first_name: person.first_name,
    last_name: person.last_name,
  };
}

export function toRequestBody(values: UserValues): UserForm {
  return {
    email: values.email.trim(),
    account_type: values.account_type === '1' ? 1 : 2,
    first_name: values.first_name.trim(),
    last_name: values.last_name.trim(),
  };
}

const LABELS: Labels<keyof UserValues> = {
  email: 'The email address',
  account_type: 'The account type',
  first_name: 'The first name',
  last_name: 'The last name',
};

/** What the contract has against these values, field by field. */
export function validateUser(values: UserValues): FieldErrors<keyof UserValues> {
  if (values.email.trim() === '') return { email: 'Email is required.' };
  return rewordErrors(collectErrors(UserForm.safeParse(toRequestBody(values)).error?.issues ?? [], LABELS));
}

/** What a refusal has against single fields. */
export function fieldErrors(message: string): FieldErrors<keyof UserValues> {
  return rewordErrors(toFieldErrors(message, LABELS));
}

function rewordErrors(errors: FieldErrors<keyof UserValues>): FieldErrors<keyof UserValues> {
  const isNone = errors.email?.includes('is not an email') ?? false;
  return isNone ? { ...errors, email: 'This is not an email address.' } : errors;
}

/** The person as the list will show them once `saved` is stored. */
export function applyUserForm(person: User, saved: UserForm): User {
  const { first_name = '', last_name = '', account_type } = saved;
  return { ...person, first_name, last_name, account_type, roles: toRoles(account_type) };
}
