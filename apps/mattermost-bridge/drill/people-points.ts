// Points about people and their sessions, and about tokens that have too few rights.
import { z } from 'zod';
import { Id } from '../src/answers.ts';
import { checkSetup } from '../src/check.ts';
import { createMattermost, type Mattermost } from '../src/mattermost.client.ts';
import { doWork, type Work } from '../src/people.ts';
import { addToTeam, logIn, type Stage, succeed } from './stage.ts';
import { expect, expectSame, readOnly, requireHelper } from './steps.ts';

function ask({ scope, me, owner, team }: Stage, mattermost: Mattermost, { action, user_id, team_id }: Partial<Work>) {
  const work = { action: action ?? 'revoke_sessions', user_id: user_id ?? '', team_id: team_id ?? team.id };
  return doWork({ mattermost, scope, me, owner }, { ...work, channel_ids: [] });
}

const NewToken = z.object({ id: Id, token: z.string() });

export async function endAllRequests(stage: Stage): Promise<string> {
  const { mattermost, server } = stage;
  const helper = requireHelper(stage);
  const { id: user_id } = helper.person;
  const made = await server.send(`POST users/${user_id}/tokens`, { body: { description: 'Made by the drill' } });
  const token = made.status === 200 ? NewToken.parse(made.body) : undefined;
  if (token) server.own.add(token.id);
  const credentials = [helper.session, await logIn(server, helper.password), ...(token ? [token.token] : [])];
  const log: { begun: number; status: number }[] = [];
  let left = Number.POSITIVE_INFINITY;
  const clients = credentials.map(async (as) => {
    while (left > 0) {
      left -= 1;
      const begun = performance.now();
      log.push({ begun, status: (await server.send('GET users/me', { as })).status });
    }
  });
  const { outcome, detail } = await ask(stage, mattermost, { action: 'revoke_sessions', user_id });
  const answered = performance.now();
  left = 10 * credentials.length;
  await Promise.all(clients);
  helper.session = await logIn(server, helper.password);
  if (token) await server.send('POST users/tokens/revoke', { body: { token_id: token.id } });
  expectSame('outcome', outcome, 'done');
  const late = log.filter(({ begun, status }) => begun > answered && status !== 401).length;
  expectSame('requests that succeeded afterwards', late, 0);
  const tokens = token ? 'and of a personal token' : `(personal tokens: ${made.status})`;
  return `two sessions ${tokens}. ${detail}`;
}

export async function changeMembership(stage: Stage): Promise<string> {
  const { mattermost, server, team } = stage;
  const helper = requireHelper(stage);
  const { id: user_id } = helper.person;
  const act = async (action: Work['action']) => {
    const { outcome, detail } = await ask(stage, mattermost, { action, user_id });
    expect(outcome === 'done', `${action}: ${detail}`);
  };
  await act('remove_from_team');
  const memberships = await mattermost.call('listTeamsOfPerson', { ids: { user: user_id } });
  const isMember = memberships.some(({ team_id, delete_at }) => team_id === team.id && delete_at === 0);
  expect(!isMember, 'the person is still in the team');
  await addToTeam(stage, helper);
  await act('deactivate');
  expectSame('answer to the session', (await server.send('GET users/me', { as: helper.session })).status, 401);
  const back = await ask(stage, mattermost, { action: 'reactivate', user_id });
  if (back.outcome === 'done') helper.session = await logIn(server, helper.password);
  else stage.helper = `it was deactivated and can't come back: ${back.detail}`;
  return back.outcome === 'done' ? 'removed, deactivated, reactivated' : `removed, deactivated. ${back.detail}`;
}

export async function protectPeople(stage: Stage): Promise<string> {
  const { mattermost, server, me, owner, other, helper } = stage;
  // A guard that fails must not do any harm here.
  const { client, attempts } = readOnly(mattermost);
  const asked: Partial<Work>[] = [{ user_id: me.id }];
  if (Id.safeParse(owner).success) asked.push({ user_id: owner ?? '' });
  const person = typeof helper === 'string' ? undefined : helper.person.id;
  if (person) {
    await succeed(server, `POST teams/${other.id}/members`, { body: { team_id: other.id, user_id: person } });
    asked.push({ user_id: person, team_id: other.id });
  }
  const outcomes: string[] = [];
  for (const action of ACTIONS) {
    for (const work of asked) outcomes.push((await ask(stage, client, { ...work, action })).outcome);
  }
  if (person) {
    // Also in a team that isn't connected.
    outcomes.push((await ask(stage, client, { action: 'deactivate', user_id: person })).outcome);
    await succeed(server, `DELETE teams/${other.id}/members/${person}`);
  }
  expectSame('changing calls', attempts, []);
  expect(
    outcomes.every((outcome) => outcome === 'refused'),
    'something was not refused',
  );
  return `${outcomes.length} kinds of work for the bot, its owner${person ? ', and a team that is not connected' : ''}`;
}

const ACTIONS = ['revoke_sessions', 'send_password_reset', 'deactivate', 'reactivate', 'remove_from_team'] as const;

export async function nameLesserTokens(stage: Stage): Promise<string> {
  const { url } = stage.server;
  const wrong = await checkSetup(createMattermost({ url, token: 'x'.repeat(26) }), { anyVersion: true });
  expect(
    /^The server does not accept the token/.test(wrong.problems.join()),
    `a wrong token: ${wrong.problems.join(' ')}`,
  );
  const { session } = requireHelper(stage);
  const { problems } = await checkSetup(createMattermost({ url, token: session }), { anyVersion: true });
  const [first = '', second = ''] = problems;
  const isNamed = /belongs to the person/.test(first) && /needs the role system admin/.test(second);
  expect(isNamed && problems.length === 2, `the token of a person: ${problems.join(' ')}`);
  return 'a wrong token, and that of a person';
}

export async function readBrokenAnswer(stage: Stage): Promise<string> {
  const { mattermost, server, team } = stage;
  const helper = requireHelper(stage);
  const ids = { user: helper.person.id };
  await succeed(server, `DELETE teams/${team.id}/members/${helper.person.id}`);
  const none = await mattermost.find('listChannelsOfPerson', { ids });
  await addToTeam(stage, helper);
  expectSame('channels', (none ?? []).length, 0);
  const some = await mattermost.find('listChannelsOfPerson', { ids });
  expect((some ?? []).length > 0, 'a person with channels seems to have none');
  return none === undefined ? 'the answer 404' : 'an empty list';
}
