import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import type { MatrixRow } from '../actors.ts';

export const ADMINS = { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 200, TO: 200 };
/** The item isn't in the team. */
export const UNKNOWN = { about: 'of an unknown id', expected: { ...ADMINS, TA: 404, TO: 404 } };

export function forAdmins(endpoint: AnyEndpoint, rest: NonNullable<MatrixRow['send']> = () => ({})): MatrixRow {
  return {
    endpoint,
    expected: ADMINS,
    send: async (world, me) => {
      const { params, ...sending } = await rest(world, me);
      return { params: { teamId: world.teamId, ...params }, ...sending };
    },
  };
}

/** For owners of the team in the path; its other admins are refused too. */
const OWNERS = { ...ADMINS, TA: 403 };

export function forOwners(endpoint: AnyEndpoint, rest?: NonNullable<MatrixRow['send']>): MatrixRow {
  return { ...forAdmins(endpoint, rest), expected: OWNERS };
}
