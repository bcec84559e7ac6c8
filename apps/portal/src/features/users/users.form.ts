import { accountTypeOf, rolesOf } from '@steward/contract/roles';
import { type User, UserForm } from '@steward/contract/users';

/** What the dialog holds: account types are strings there, because radio buttons know no others. */
export interface UserValues {
  email: string;
  account_type: '1' | '2';
  first_name: string;
  last_name: string;
}

const FIELDS = ['email', 'account_type', 'first_name', 'last_name'] as const satisfies (keyof UserValues)[];

/** Values that the dialog opens with: of the person to edit, else the spec's defaults (spec §5). */
export function valuesOf(person: User | null): UserValues {
  if (person === null) return { email: '', account_type: '2', first_name: '', last_name: '' };
  return {
    email: person.email,
    account_type: accountTypeOf(person.roles) === 1 ? '1' : '2',
    first_name: person.first_name,
    last_name: person.last_name,
  };
}

export function bodyOf(values: UserValues): UserForm {
  return {
    email: values.email.trim(),
    account_type: values.account_type === '1' ? 1 : 2,
    first_name: values.first_name.trim(),
    last_name: values.last_name.trim(),
  };
}

/** What the contract has against these values, field by field. */
export function validateUser(values: UserValues): Partial<Record<keyof UserValues, string>> {
  if (values.email.trim() === '') return { email: 'Email is required.' };
  const checked = UserForm.safeParse(bodyOf(values));
  const reasons = checked.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  return fieldErrors(reasons.join('; '));
}

/** A refusal lists `field: reason`, parted by semicolons; what names no field of ours stays out. */
export function fieldErrors(message: string): Partial<Record<keyof UserValues, string>> {
  const errors: Partial<Record<keyof UserValues, string>> = {};
  for (const [, field, reason] of message.matchAll(/(?:^|[;,]\s*)(?:body\.)?(\w+): ([^;]+)/g)) {
    const known = FIELDS.find((name) => name === field);
    if (known && reason && errors[known] === undefined) errors[known] = asSentence(known, reason);
  }
  return errors;
}

const LABELS: Record<keyof UserValues, string> = {
  email: 'The email address',
  account_type: 'The account type',
  first_name: 'The first name',
  last_name: 'The last name',
};

function asSentence(field: keyof UserValues, reason: string): string {
  if (field === 'email' && reason.startsWith('is not an email')) return 'This is not an email address.';
  return `${LABELS[field]} ${reason.trim().replace(/\.$/, '')}.`;
}

/** The person as the list will show them once `saved` is stored. */
export function editedPerson(person: User, saved: UserForm): User {
  const { first_name = '', last_name = '', account_type } = saved;
  return { ...person, first_name, last_name, account_type, roles: rolesOf(account_type) };
}
