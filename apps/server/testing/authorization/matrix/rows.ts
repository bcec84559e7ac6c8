import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { findSessionId, signIn, type TestUser } from '#testing/workspace/factories.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import type { Actor, MatrixRow, Statuses, World } from '../actors.ts';

export type Send = NonNullable<MatrixRow['send']>;
type More = Partial<Omit<MatrixRow, 'send'>>;
/** Finds or creates what a call is about; returns its id. */
export type Find = (world: World, me: Actor) => string | Promise<string>;

export function forAll(status: number): Statuses {
  return { OUT: status, TU: status, ZD: status, XA: status, TA: status, TO: status };
}

export const SIGNED_IN = { ...forAll(200), OUT: 401 };
/** Integration users can't start a session. */
export const NO_INTEGRATION = { expected: { ...SIGNED_IN, ZD: 401 } };
/** The item is another user's, or there is none. */
export const NOT_FOUND = { ...forAll(404), OUT: 401 };
/** The item is another user's, which is no secret. */
export const FORBIDDEN = { ...forAll(403), OUT: 401 };
export const WRONG = { ...forAll(400), OUT: 401 };

export const ADMINS = { OUT: 401, TU: 403, ZD: 403, XA: 403, TA: 200, TO: 200 };
/** Owners of the team in the path; its other admins are refused too. */
export const OWNERS = { ...ADMINS, TA: 403 };
export const UNKNOWN = { about: 'of an unknown id', expected: { ...ADMINS, TA: 404, TO: 404 } };
export const UNKNOWN_TO_OWNERS = { about: 'of an unknown id', expected: { ...OWNERS, TO: 404 } };

/** The parts of a request besides its path parameter. */
export type Rest = Sending | ((world: World, id: string) => Sending);

export const unknownId: Find = () => newId();
export const memberId: Find = ({ member }) => member.id;
/** A link that was never sent, and the address of no account. */
export const UNKNOWN_TOKEN = 'A'.repeat(43);
export const newAddress = () => `${newId()}@example.test`;

export const row = (about: string, expected: Statuses, send: Send): MatrixRow => ({ about, expected, send });

/** Prepares something once for all actors, because the calls only read it, or are refused. */
export function once<T>(prepare: (world: World) => T): (world: World) => T {
  const prepared = new WeakMap<World, T>();
  return (world) => {
    const made = prepared.get(world) ?? prepare(world);
    prepared.set(world, made);
    return made;
  };
}

/** Only what is sent counts, not the session. */
export const forAnyone = (send: Send, more: More = {}): MatrixRow => ({ expected: forAll(200), send, ...more });

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

export function about(param: string, find: Find, rest: Rest = {}): Send {
  return async (world, me) => {
    const id = await find(world, me);
    return { params: { [param]: id }, ...(typeof rest === 'function' ? rest(world, id) : rest) };
  };
}

/** A call about something of the team, and about an id that the team doesn't have. */
export const adminsAbout = (param: string, find: Find, rest?: Rest): [MatrixRow, MatrixRow] => [
  forAdmins(about(param, find, rest)),
  forAdmins(about(param, unknownId, rest), UNKNOWN),
];

export const ownersAbout = (param: string, find: Find, rest?: Rest): [MatrixRow, MatrixRow] => [
  forOwners(about(param, find, rest)),
  forOwners(about(param, unknownId, rest), UNKNOWN_TO_OWNERS),
];

/** A call about a part of something, and about a part that it doesn't have; both are in the path. */
export function adminsAboutPart(
  param: string,
  find: (world: World) => Promise<Record<string, string>>,
): [MatrixRow, MatrixRow] {
  const whole = once(find);
  return [
    forAdmins(async (world) => ({ params: await find(world) })),
    forAdmins(async (world) => ({ params: { ...(await whole(world)), [param]: newId() } }), UNKNOWN),
  ];
}

export const newSession = async ({ node }: World, of: TestUser): Promise<string> =>
  findSessionId(node, await signIn(node, of));

/** The token of a link with which the member may choose another password. */
export const resetLink = ({ node, member }: World): Promise<string> =>
  inTransaction(node.db, (trx) => addLink(trx, { kind: 'reset', userId: member.id, teamId: null }));
