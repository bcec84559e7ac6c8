import { isId } from '@steward/contract/api/fields';
import { SignInOutcome } from '@steward/contract/users/sign-ins';
import { getStartOfDay, toPeriod } from '#platform/time/days.ts';

/** A filter that is off is absent. Dates are in the viewer's time zone. */
export interface SignInsSearch {
  user?: string;
  result?: string;
  /** The first and last date are inclusive and look like 2026-03-02. */
  from?: string;
  to?: string;
}
export type SignInsFilter = keyof SignInsSearch;

const PARAM_VALIDATORS: Record<SignInsFilter, (text: string) => boolean> = {
  user: isId,
  result: (text) => SignInOutcome.safeParse(text).success,
  from: (text) => getStartOfDay(text) !== undefined,
  to: (text) => getStartOfDay(text) !== undefined,
};

/** The parameters may have been typed by hand, so invalid ones are ignored. */
export function readSignInsSearch(raw: Record<string, unknown>): SignInsSearch {
  const read: SignInsSearch = {};
  for (const name of Object.keys(PARAM_VALIDATORS) as SignInsFilter[]) {
    const text = raw[name];
    if (typeof text === 'string' && PARAM_VALIDATORS[name](text)) read[name] = text;
  }
  return read;
}

/** An empty value removes the filter. */
export function withFilter(current: SignInsSearch, name: SignInsFilter, value: string): SignInsSearch {
  return readSignInsSearch({ ...current, [name]: value });
}

export function signInsQuery({ user, result, from, to }: SignInsSearch): Record<string, string> {
  return {
    ...(user !== undefined && { user_id: user }),
    ...(result !== undefined && { outcome: result }),
    ...toPeriod({ from, to }),
  };
}
