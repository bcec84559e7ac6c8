import { sql } from 'kysely';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { encodePng, paint } from '#testing/images/images.ts';
import { invite, join, team, type UserOptions, user } from '#testing/workspace/factories.ts';
import { addLink } from '#workspace/access/sessions/links.store.ts';
import { savePicture } from '#workspace/users/pictures.store.ts';
import type { Actor, Matrix, MatrixRow, World } from '../actors.ts';
import {
  ADMINS,
  about,
  adminsAbout,
  type Find,
  FORBIDDEN,
  forAdmins,
  forSignedIn,
  NOT_FOUND,
  newAddress,
  newSession,
  OWNERS,
  resetLink,
  row,
  type Send,
  UNKNOWN,
  unknownId,
  WRONG,
} from './rows.ts';

export const newUser =
  (options: UserOptions = {}) =>
  async ({ node, teamId }: World): Promise<string> =>
    (await user(node, { team: teamId, ...options })).id;

function onUsers(state: UserOptions = {}, sending: Sending = {}): MatrixRow[] {
  const onOwner = about('userId', newUser({ ...state, kind: 'owner' }), sending);
  const [own, unknown] = adminsAbout('userId', newUser(state), sending);
  return [own, forAdmins(onOwner, { about: 'on an owner', expected: { ...ADMINS, TA: 409 } }), unknown];
}

const makeOwner = (find: Find, more: Partial<MatrixRow> = {}) =>
  forAdmins(about('userId', find, { body: { owner: true } }), { expected: OWNERS, ...more });

const emailLink = async ({ node }: World, userId: string): Promise<string> =>
  inTransaction(node.db, (trx) => addLink(trx, { kind: 'email', userId, teamId: null, email: newAddress() }));

/** Another team, which has invited the address. */
async function newInvitation({ node }: World, me: Actor): Promise<string> {
  const teamId = await team(node);
  await invite(node, { teamId, email: me.email });
  return teamId;
}

async function newSecondTeam({ node, member }: World, me: Actor): Promise<string> {
  const second = await team(node);
  // An anonymous caller is refused earlier.
  if (me.id !== member.id) await join(node, second, me.id);
  return second;
}

const newSessionOfMember: Find = (world) => newSession(world, world.member);

async function withPicture({ node }: World, me: Actor) {
  await inTransaction(node.db, (trx) => savePicture(trx, me.id, Buffer.from('WebP')));
  return {};
}

export const usersRows: Matrix = {
  listSignIns: [forAdmins()],
  deactivateUser: onUsers(),
  reactivateUser: onUsers({ deactivated: true }, { body: { ends_on: null } }),
  removeUser: onUsers(),
  setOwner: [
    makeOwner(newUser()),
    makeOwner(unknownId, UNKNOWN),
    makeOwner(newUser({ pending: true }), { about: 'of a pending invitee', expected: { ...OWNERS, TO: 409 } }),
  ],
  saveProfile: [forSignedIn(() => ({ body: { first_name: 'Ada', last_name: 'Lovelace' } }))],
  savePicture: [
    forSignedIn(() => ({ headers: { 'content-type': 'image/png' }, text: encodePng(paint(2, 2, () => [9, 9, 9])) })),
  ],
  removePicture: [forSignedIn(withPicture)],
  changePassword: [
    forSignedIn((_world, me) => ({ body: { current_password: me.password, new_password: 'another long password' } })),
    row('with a wrong current password', WRONG, () => ({
      body: { current_password: 'a wrong one', new_password: 'another long password' },
    })),
  ],
  requestEmailChange: [
    forSignedIn((_world, me) => ({ body: { email: newAddress(), password: me.password } })),
    row('with a wrong password', WRONG, () => ({ body: { email: newAddress(), password: 'a wrong one' } })),
  ],
  confirmEmail: [
    forSignedIn(async (world, me) => ({ body: { token: await emailLink(world, me.id) } })),
    row('with the link of another account', FORBIDDEN, async (world) => ({
      body: { token: await emailLink(world, await newUser()(world)) },
    })),
    row('with the link of a password reset', WRONG, async (world) => ({ body: { token: await resetLink(world) } })),
  ],
  checkEmailLink: [forSignedIn(async (world) => ({ body: { token: await emailLink(world, world.member.id) } }))],
  getPreferences: [forSignedIn()],
  savePreferences: [forSignedIn(() => ({ body: { emails: { helpdesk: false } } }))],
  listOwnSessions: [forSignedIn()],
  endOwnSession: [
    forSignedIn(about('sessionId', newSession)),
    row('of another user', NOT_FOUND, about('sessionId', newSessionOfMember)),
  ],
  endOtherSessions: [
    forSignedIn(async (world, me) => {
      await newSession(world, me);
      return {};
    }),
  ],
  listOwnInvitations: [forSignedIn()],
  answerInvitation: [
    forSignedIn(about('teamId', newInvitation, { body: { accept: true } })),
    row('of a team that did not invite them', NOT_FOUND, about('teamId', unknownId, { body: { accept: true } })),
  ],
  leaveTeam: [forSignedIn(about('teamId', newSecondTeam)), row('of others', NOT_FOUND, about('teamId', unknownId))],
};

const anInvitee = () => ({ email: newAddress(), account_type: 2 });

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

/** Ends running bulk changes, because a team can have only one at a time. */
const afterJobs =
  (send: () => Sending): Send =>
  async ({ node, teamId }) => {
    await sql`update user_jobs set state = 'done', ended_at = now()
      where team_id = ${teamId} and ended_at is null`.execute(node.db);
    return send();
  };

async function endedJob({ node, teamId }: World): Promise<string> {
  const id = newId();
  await sql`insert into user_jobs (team_id, id, action, started_by, user_ids, joined_until, state, total, ended_at)
    values (${teamId}, ${id}, 'revoke', ${newId()}, '{}', 0, 'done', 0, now())`.execute(node.db);
  return id;
}

/** Each job has an unknown user, so that it ends immediately. */
export const manyUsersRows: Matrix = {
  saveUsers: [
    forAdmins(() => ({ body: [anInvitee()] })),
    forAdmins(() => ({ query: { preview: '1' }, body: [anInvitee()] }), { about: 'as a preview' }),
  ],
  startBulk: [
    forAdmins(afterJobs(() => ({ body: { action: 'revoke', user_ids: [newId()] } }))),
    forAdmins(() => ({ body: { action: 'revoke', filter: {}, dry_run: true } }), { about: 'as a dry run' }),
    forAdmins(
      afterJobs(() => ({ body: { action: 'set_end', user_ids: [newId()], ends_on: inAWeek() } })),
      { about: 'with an end date' },
    ),
  ],
  getBulk: adminsAbout('jobId', endedJob),
};
