import { finishSignUp } from '@steward/contract/signup';
import type { Failure } from '#platform/api/failure.ts';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';
import { isSamePassword, PASSWORDS_DIFFER, passwordProblem } from '#workspace/session/new-password.ts';

export interface FinalValues {
  first: string;
  last: string;
  password: string;
  password2: string;
}

type FinalErrors = FieldErrors<keyof FinalValues>;

const NAMES: Labels<'first' | 'last'> = { first: 'First name', last: 'Last name' };

/** The names come from the invitation. */
export function getFormValues({ first, last }: Pick<FinalValues, 'first' | 'last'>): FinalValues {
  return { first, last, password: '', password2: '' };
}

/** Passwords that differ are never sent. */
export function validateFinal(values: FinalValues): FinalErrors {
  const { password, password2 } = values;
  const errors: FinalErrors = collectErrors(finishSignUp.body?.safeParse(values).error?.issues ?? [], NAMES);
  const problem = password === '' ? 'Password is required.' : passwordProblem(password);
  if (problem !== undefined) errors.password = problem;
  if (password2 === '') errors.password2 = 'Please enter the password again.';
  else if (!isSamePassword(password, password2)) errors.password2 = PASSWORDS_DIFFER;
  return errors;
}

export function toFinalErrors({ id, message }: Failure): FinalErrors {
  if (id === 'password.too_common') return { password: message };
  if (id === 'signup.passwords_differ') return { password2: message };
  return toFieldErrors(message, { ...NAMES, password: 'Password', password2: 'Repeated password' });
}
