import type { setUp } from '@steward/contract/signup';
import type { Sending } from '#platform/api/api.ts';
import type { Failure } from '#platform/api/failure.ts';
import { type FieldErrors, toFieldErrors } from '#platform/api/field-errors.ts';
import { browserZone } from '#platform/time/time-zones.ts';
import { type FinalValues, toFinalErrors, validateFinal } from './final.form.ts';
import { emailProblem, teamProblem } from './signup.form.ts';

export interface SetUpValues extends FinalValues {
  team_name: string;
  time_zone: string;
  email: string;
}

type SetUpErrors = FieldErrors<keyof SetUpValues>;

export const EMPTY_VALUES: SetUpValues = {
  team_name: '',
  time_zone: browserZone(),
  email: '',
  first: '',
  last: '',
  password: '',
  password2: '',
};

/** The errors are in the order of the form. */
export function validateSetUp(values: SetUpValues): SetUpErrors {
  const team_name = teamProblem(values.team_name);
  const email = emailProblem(values.email);
  return { ...(team_name && { team_name }), ...(email && { email }), ...validateFinal(values) };
}

export function toSetUpBody(token: string, values: SetUpValues): Sending<typeof setUp>['body'] {
  const { password2: _repeated, ...body } = values;
  return { token, ...body };
}

export function toSetUpErrors(failure: Failure): SetUpErrors {
  return {
    ...toFieldErrors(failure.message, { team_name: 'Name', time_zone: 'Time zone', email: 'Email' }),
    ...toFinalErrors(failure),
  };
}
