import type { Column, MatrixRow } from '../actors.ts';

type Send = NonNullable<MatrixRow['send']>;
type More = Partial<Omit<MatrixRow, 'send'>>;

/** The same for every caller. */
export function forAll(status: number): Record<Column, number> {
  return { OUT: status, TU: status, ZD: status, XA: status, TA: status, TO: status };
}

export const SIGNED_IN = { ...forAll(200), OUT: 401 };
/** The item is another user's, or there is none. */
export const NOT_FOUND = { ...forAll(404), OUT: 401 };
export const WRONG = { ...forAll(400), OUT: 401 };

export const ADMINS = { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 200, TO: 200 };
/** Owners of the team in the path; its other admins are refused too. */
export const OWNERS = { ...ADMINS, TA: 403 };
/** The item isn't in the team. */
export const UNKNOWN = { about: 'of an unknown id', expected: { ...ADMINS, TA: 404, TO: 404 } };
export const UNKNOWN_TO_OWNERS = { about: 'of an unknown id', expected: { ...OWNERS, TO: 404 } };

export function forSignedIn(send: Send = () => ({}), more: More = {}): MatrixRow {
  return { expected: SIGNED_IN, send, ...more };
}

/** The path has the team. */
export function forAdmins(rest: Send = () => ({}), more: More = {}): MatrixRow {
  return {
    expected: ADMINS,
    send: async (world, me) => {
      const { params, ...sending } = await rest(world, me);
      return { params: { teamId: world.teamId, ...params }, ...sending };
    },
    ...more,
  };
}

export function forOwners(rest?: Send, more: More = {}): MatrixRow {
  return forAdmins(rest, { expected: OWNERS, ...more });
}
