import { finishSignUp } from '@steward/contract/signup';
import type { Failure } from '#platform/api/failure.ts';
import { collectErrors, type FieldErrors, type Labels, toFieldErrors } from '#platform/api/field-errors.ts';
import { PASSWORDS_DIFFER, passwordProblem } from '#workspace/session/new-password.ts';

/** What the final details hold (spec §3, sign-up final). */
export interface FinalValues {
  first: string;
  last: string;
  password: string;
  password2: string;
}

type FinalErrors = FieldErrors<keyof FinalValues>;

const NAMES: Labels<'first' | 'last'> = { first: 'First name', last: 'Last name' };

/** Values that the form opens with: the names are those from the invitation. */
export function getFormValues({ first, last }: Pick<FinalValues, 'first' | 'last'>): FinalValues {
  return { first, last, password: '', password2: '' };
}

/** What is wrong, field by field; unequal passwords are never sent (spec §5). */
export function validateFinal(values: FinalValues): FinalErrors {
  const { password, password2 } = values;
  const errors: FinalErrors = collectErrors(finishSignUp.body?.safeParse(values).error?.issues ?? [], NAMES);
  const problem = password === '' ? 'Password is required.' : passwordProblem(password);
  if (problem !== undefined) errors.password = problem;
  if (password2 === '') errors.password2 = 'Please enter the password again.';
  else if (password !== password2) errors.password2 = PASSWORDS_DIFFER;
  return errors;
}

/** What a refusal has against single fields. */
export function toFinalErrors({ id, message }: Failure): FinalErrors {
  if (id === 'password.too_common') return { password: message };
  if (id === 'signup.passwords_differ') return { password2: message };
  return toFieldErrors(message, { ...NAMES, password: 'Password', password2: 'Repeated password' });
}
