// What the bridge must survive, as far as it can be checked on any server through its API. Tests run these functions against the
// simulator, and the drill against a real server.
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type Channel, Id, type Row } from '../src/answers.ts';
import { checkSetup } from '../src/check.ts';
import { deleteThreads, type Outcome, type Permit, type Report } from '../src/deletion.ts';
import { CALLS, CallError, createMattermost, type Mattermost } from '../src/mattermost.client.ts';
import { doWork, type Work } from '../src/people.ts';
import { rehearse } from '../src/rehearsal.ts';
import { listChanges, listPages } from '../src/sweep.ts';
import { isChange, watch } from './server.ts';
import { addToTeam, type Helper, logIn, OLD_MS, permitOld, type Stage, splitThreads, succeed, sweep } from './stage.ts';

export interface Point {
  number: number;
  name: string;
  /** Returns a remark. Throws `Failed` or `NotApplicable`. */
  run: (stage: Stage) => Promise<string>;
}

class Failed extends Error {}
export class NotApplicable extends Error {}

function expect(condition: boolean, reason: string): asserts condition {
  if (!condition) throw new Failed(reason);
}

function expectSame(what: string, actual: unknown, expected: unknown): void {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value));
  expect(isDeepStrictEqual(actual, expected), `${what}: ${is} instead of ${should}`);
}

/** Returns the person, or ends the point. */
function requireHelper({ helper }: Stage): Helper {
  if (typeof helper === 'string') throw new NotApplicable(`it needs an account of a person, and ${helper}`);
  return helper;
}

interface Message {
  message?: string;
  root_id?: string | undefined;
  file_ids?: string[];
  /** When it was written, before the time of the server. */
  age?: number;
}

/** Writes a message as the bot. A system admin may date it back. */
async function write(
  { mattermost, talk }: Stage,
  { age = OLD_MS, ...more }: Message = {},
  channel = talk,
): Promise<Row> {
  const create_at = mattermost.time() - age;
  const body = { channel_id: channel.id, message: 'old words', ...more, ...(age > 0 && { create_at }) };
  return mattermost.call('createPost', { body });
}

/** Writes a young message as the person, or as the bot if there is none. */
async function writeNow(stage: Stage, more: Message): Promise<string> {
  const { server, helper, talk } = stage;
  if (typeof helper === 'string') return (await write(stage, { ...more, age: 0 })).id;
  const body = { channel_id: talk.id, message: 'young words', ...more };
  const said = await server.send('POST posts', { body, as: helper.session });
  expect(said.status === 201, `a reply of the person is answered ${said.status}`);
  const { id } = z.object({ id: Id }).parse(said.body);
  server.own.add(id);
  return id;
}

const edit = ({ mattermost }: Stage, post: string, body: object) =>
  mattermost.call('changePost', { ids: { post }, body });
const softDelete = ({ mattermost }: Stage, post: string) => mattermost.call('softDelete', { ids: { post } });

/** Older versions keep the files of a message as they are. */
async function changeFiles(stage: Stage, post: string, file_ids: string[]): Promise<void> {
  await edit(stage, post, { file_ids });
  const now = await stage.mattermost.call('readRow', { ids: { post } });
  if (!isDeepStrictEqual([...now.file_ids].sort(), [...file_ids].sort())) {
    throw new NotApplicable('this version of the server changes no files by an edit');
  }
}

async function upload({ mattermost, talk }: Stage, name: string): Promise<string> {
  const form = new FormData();
  form.set('channel_id', talk.id);
  form.append('files', new Blob(['A file of the drill']), name);
  const [file] = (await mattermost.call('upload', { body: form })).file_infos;
  return file?.id ?? '';
}

/** Deletes everything that is old in a channel, by as many permits as it takes. */
async function deleteOld({ mattermost, scope, talk }: Stage): Promise<Report> {
  const permit = await permitOld(mattermost, talk);
  const report: Report = { outcomes: new Map(), versions: new Map(), orphans: [] };
  for (const rows of splitThreads(permit.rows as Row[])) {
    const { outcomes, orphans } = await deleteThreads(mattermost, { ...permit, rows }, scope);
    for (const [id, outcome] of outcomes) report.outcomes.set(id, outcome);
    report.orphans.push(...orphans);
  }
  return report;
}

function tally(outcomes: ReadonlyMap<string, Outcome>): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(outcomes.values(), (outcome) => outcome)].map(([key, all]) => [key, all.length]),
  );
}

/** Messages of people and of the bot, without those about joining. */
const listMessages = async ({ mattermost }: Stage, channel: Channel) =>
  (await sweep(mattermost, channel)).filter((row) => row.type === '');

/** Requires that everything is gone: by its outcomes, by a sweep, and by a reading of each row. */
async function expectGone(stage: Stage, { outcomes }: Report, rows: number): Promise<void> {
  expectSame('outcomes', tally(outcomes), { gone: Math.max(rows, outcomes.size) });
  const left = await listMessages(stage, stage.talk);
  expectSame('rows that are left', left.length, 0);
  for (const post of outcomes.keys()) {
    const row = await stage.mattermost.find('readRow', { ids: { post } });
    expect(row === undefined, 'a row that counts as gone can still be read');
  }
}

async function expectUnreachable({ mattermost, server }: Stage, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const info = await mattermost.find('readFile', { ids: { file } });
    expect(info === undefined, 'a file can still be read');
    const { status } = await server.send(`GET files/${file}`);
    expect(status === 404, `a file can still be fetched: ${status}`);
  }
}

/** More than two pages of a list. */
const MANY = 450;

async function findEveryRow(stage: Stage): Promise<string> {
  const { mattermost, talk } = stage;
  const create_at = mattermost.time() - OLD_MS;
  const written: string[] = [];
  const edited: string[] = [];
  for (let count = 0; count < MANY; count += 1) {
    const body = { channel_id: talk.id, message: `words ${count}`, create_at: create_at + Math.max(0, count - 300) };
    const { id } = await mattermost.call('createPost', { body });
    written.push(id);
    if (count % 20 === 0) await softDelete(stage, id);
    if (count % 20 === 7) edited.push(id);
  }
  for (const id of edited) await edit(stage, id, { message: 'other words' });
  const rows = await listMessages(stage, talk);
  const missing = new Set(written).difference(new Set(rows.map((row) => row.id)));
  expectSame('rows that the sweep lacks', missing.size, 0);
  const versions = rows.filter((row) => row.original_id !== '').map((row) => row.original_id);
  expectSame('versions', [...versions].sort(), [...edited].sort());
  expectSame('rows', rows.length, new Set(rows.map((row) => row.id)).size);
  const report = await deleteOld(stage);
  await expectGone(stage, report, rows.length);
  return `${rows.length} rows, ${versions.length} of them versions; all deleted`;
}

async function leaveNoWords(stage: Stage): Promise<string> {
  const { mattermost, server, team } = stage;
  const words = `drill-${randomBytes(6).toString('hex')}`;
  const { id } = await write(stage, { message: words });
  await mattermost.call('pinPost', { ids: { post: id } });
  await succeed(server, `POST posts/${id}/unpin`);
  await edit(stage, id, { message: `${words} edited` });
  await edit(stage, id, { message: `${words} edited again` });
  const versions = (await listMessages(stage, stage.talk)).filter((row) => row.original_id === id);
  const report = await deleteOld(stage);
  await expectGone(stage, report, versions.length + 1);
  const found = await succeed(server, `POST teams/${team.id}/posts/search`, {
    body: { terms: words, is_or_search: false },
  });
  expectSame(
    'messages that a search finds',
    z.object({ order: z.array(z.string()) }).parse(found.body).order.length,
    0,
  );
  return `${versions.length} versions`;
}

/** What a row is compared by. */
const fingerprint = ({ id, update_at, delete_at, file_ids }: Row) => `${id} ${update_at} ${delete_at} ${file_ids}`;

async function keepYoungThreads(stage: Stage): Promise<string> {
  const { mattermost, scope, talk } = stage;
  const young: string[] = [];
  for (const isDeleted of [false, true]) {
    const root = await write(stage);
    await write(stage, { root_id: root.id });
    const reply = await writeNow(stage, { root_id: root.id });
    if (isDeleted) await softDelete(stage, reply);
    young.push(reply);
  }
  const before = (await sweep(mattermost, talk)).map(fingerprint);
  expectSame('outcomes of what is due', tally((await deleteOld(stage)).outcomes), {});
  // A permit that was given before the replies came.
  const permit = await permitOld(mattermost, talk);
  const rows = (await listMessages(stage, talk)).filter((row) => !young.includes(row.id));
  const { outcomes } = await deleteThreads(mattermost, { ...permit, rows }, scope);
  expectSame('outcomes of a permit without the replies', tally(outcomes), { thread: rows.length });
  expectSame('rows', (await sweep(mattermost, talk)).map(fingerprint), before);
  return 'a living and a deleted reply';
}

async function deleteFilesOfReplies(stage: Stage): Promise<string> {
  const files: string[] = [];
  const file = async (name: string) => {
    files.push(await upload(stage, name));
    return files.at(-1) ?? '';
  };
  const root = await write(stage, { file_ids: [await file('root.txt')] });
  const replies: string[] = [];
  for (const name of ['one', 'two', 'three']) {
    const file_ids = [await file(`${name}.txt`), await file(`${name}-more.txt`)];
    replies.push((await write(stage, { root_id: root.id, file_ids })).id);
  }
  await edit(stage, replies[0] ?? '', { message: 'edited' });
  await softDelete(stage, replies[1] ?? '');
  await expectGone(stage, await deleteOld(stage), 5);
  await expectUnreachable(stage, files);
  return `${files.length} files`;
}

async function repairDetachedFiles(stage: Stage): Promise<string> {
  const root = await write(stage, { file_ids: [await upload(stage, 'root.txt')] });
  const reply = await write(stage, { root_id: root.id, file_ids: [await upload(stage, 'reply.txt')] });
  for (const { id } of [reply, root]) await changeFiles(stage, id, []);
  const files = (await listMessages(stage, stage.talk)).flatMap((row) => row.file_ids);
  expectSame('files that versions name', files.length, 2);
  // Two messages, a version of each, and another by the repair of each.
  await expectGone(stage, await deleteOld(stage), 6);
  await expectUnreachable(stage, files);
  return 'a message and a reply were repaired';
}

async function noticeAddedFile(stage: Stage): Promise<string> {
  const { mattermost, scope, talk } = stage;
  const first = await upload(stage, 'first.txt');
  const { id } = await write(stage, { file_ids: [first] });
  const permit = await permitOld(mattermost, talk);
  const added = await upload(stage, 'added.txt');
  await changeFiles(stage, id, [first, added]);
  const { outcomes } = await deleteThreads(mattermost, permit, scope);
  expectSame('outcomes', tally(outcomes), { changed: 1 });
  await expectGone(stage, await deleteOld(stage), 2);
  await expectUnreachable(stage, [first, added]);
  return 'kept at first, then deleted with both files';
}

interface Racing {
  report: Report;
  /** Whether each of the other calls succeeded. */
  others: boolean[];
}

/** Deletes what is old, and sends another call at the same time as each deletion of a message. Then sweeps again, as an order does. */
async function race(stage: Stage, other: (post: string, count: number) => Promise<unknown>): Promise<Racing> {
  const permit = await permitOld(stage.mattermost, stage.talk);
  const targets = new Set(permit.rows.filter((row) => row.original_id === '').map((row) => row.id));
  const inFlight: Promise<boolean>[] = [];
  const racing = watch(stage.mattermost, {
    before(name, { ids }) {
      if (name !== 'deleteForever' || !targets.delete(ids?.post ?? '')) return;
      const sent = other(ids?.post ?? '', inFlight.length);
      inFlight.push(sent.then(() => true).catch(() => false));
    },
  });
  const report = await deleteThreads(racing, permit, stage.scope);
  const others = await Promise.all(inFlight);
  const last = await deleteThreads(stage.mattermost, { ...permit, isBegun: true }, stage.scope);
  for (const [id, outcome] of last.outcomes) report.outcomes.set(id, outcome);
  report.orphans.push(...last.orphans);
  return { report, others };
}

const RACES = 40;

async function surviveEdits(stage: Stage): Promise<string> {
  for (let count = 0; count < RACES; count += 1) await write(stage, { message: `words ${count}` });
  const { report, others } = await race(stage, (post, count) =>
    count % 2 === 0
      ? edit(stage, post, { message: 'edited in flight' })
      : stage.mattermost.call('pinPost', { ids: { post } }),
  );
  await expectGone(stage, report, RACES);
  return `${others.filter(Boolean).length} of ${RACES} edits and pins got through`;
}

async function keepThreadsWithNewReplies(stage: Stage): Promise<string> {
  const { mattermost, scope, talk } = stage;
  for (const isDatedBack of [false, true]) {
    const root = await write(stage);
    await write(stage, { root_id: root.id });
    const permit = await permitOld(mattermost, talk);
    const rows = permit.rows.filter((row) => row.id === root.id || row.root_id === root.id);
    const reply = isDatedBack ? await write(stage, { root_id: root.id }) : await writeNow(stage, { root_id: root.id });
    const id = typeof reply === 'string' ? reply : reply.id;
    const { outcomes } = await deleteThreads(mattermost, { ...permit, rows }, scope);
    expectSame(isDatedBack ? 'outcomes after a reply dated back' : 'outcomes', tally(outcomes), { thread: 2 });
    expect((await mattermost.find('readRow', { ids: { post: id } })) !== undefined, 'the reply is gone');
  }
  return 'one of now, and one dated back';
}

async function tellRepliesInFlight(stage: Stage): Promise<string> {
  const count = 10;
  for (let each = 0; each < count; each += 1) await write(stage);
  const replies = new Map<string, string>();
  const { report, others } = await race(stage, async (root) =>
    replies.set(root, await writeNow(stage, { root_id: root })),
  );
  const present = new Set((await sweep(stage.mattermost, stage.talk)).map((row) => row.id));
  const survivors = [...replies].filter(([, reply]) => present.has(reply));
  for (const [root, reply] of survivors) {
    const isTold = report.orphans.includes(reply) || report.outcomes.get(root) === 'thread';
    expect(isTold, 'a reply survived its thread and was not reported');
  }
  for (const [root, outcome] of report.outcomes) {
    expect(outcome !== 'gone' || !present.has(root), 'a message that counts as gone is there');
  }
  const sent = others.filter(Boolean).length;
  const lost = sent - survivors.length;
  return `${sent} of ${count} were accepted: ${survivors.length} survived and were reported, ${lost} were lost with their thread`;
}

async function findBackdated(stage: Stage): Promise<string> {
  const { mattermost, talk } = stage;
  await writeNow(stage, {});
  await mattermost.call('ping');
  const since = mattermost.time() - 60_000;
  // Older than what other points write.
  const { id } = await write(stage, { age: OLD_MS + 100 * 86_400_000 });
  const isHinted = (await listChanges(mattermost, talk.id, since)).some((row) => row.id === id);
  const rows = await sweep(mattermost, talk);
  expect(
    rows.some((row) => row.id === id),
    'a sweep lacks a message that is dated back',
  );
  return isHinted ? 'among the changes too' : 'in no list of changes; a sweep finds it';
}

async function trustOnlyReadings(stage: Stage): Promise<string> {
  const { mattermost, scope, talk } = stage;
  const lies = [200, 400, 404, 500, 0].flatMap((status) => [true, false].map((isSent) => ({ status, isSent })));
  for (const lie of lies) {
    await write(stage);
    const permit = await permitOld(mattermost, talk);
    const first = await deleteThreads(lying(mattermost, lie), permit, scope);
    const left = new Set((await listMessages(stage, talk)).map((row) => row.id));
    for (const [id, outcome] of first.outcomes)
      expect(outcome !== 'gone' || !left.has(id), 'a row is gone that is there');
    const what = `outcomes after an answer ${lie.status || 'that is lost'}, ${lie.isSent ? 'done' : 'not done'}`;
    expectSame(what, tally(first.outcomes), lie.isSent ? { gone: 1 } : {});
    await expectGone(stage, await deleteThreads(mattermost, { ...permit, isBegun: true }, scope), 1);
  }
  return `${lies.length} kinds of answers`;
}

/** Returns a client whose deletions are answered otherwise than the server does, or not even sent. */
function lying(mattermost: Mattermost, { status, isSent }: { status: number; isSent: boolean }): Mattermost {
  return {
    ...mattermost,
    async call(name, args = {}) {
      if (name !== 'deleteForever') return mattermost.call(name, args);
      if (isSent) await mattermost.call(name, args);
      if (status !== 200) throw new CallError(name, status, { reason: 'the drill says so' });
      return { status: 'OK' } as never;
    },
  };
}

async function deleteFourTimes(stage: Stage): Promise<string> {
  const { mattermost, scope, talk } = stage;
  const root = await write(stage);
  for (let count = 0; count < 5; count += 1) await write(stage, { root_id: root.id });
  const permit = await permitOld(mattermost, talk);
  const reports = await Promise.all([1, 2, 3, 4].map(() => deleteThreads(mattermost, permit, scope)));
  const left = new Set((await listMessages(stage, talk)).map((row) => row.id));
  for (const [id, outcome] of reports.flatMap((each) => [...each.outcomes])) {
    expect(outcome !== 'gone' || !left.has(id), 'a row is gone that is there');
  }
  await expectGone(stage, await deleteThreads(mattermost, { ...permit, isBegun: true }, scope), 6);
  return `${reports.flatMap((each) => [...each.outcomes.values()]).length} outcomes of 4 permits for the same 6 rows`;
}

/** Changing settings, and permanent deletion of people, teams and channels. */
const NEVER = /config|permanent=true|license|roles|bots\/|password$/;

async function lackDangerousCalls(stage: Stage): Promise<string> {
  const changing = Object.values(CALLS).filter(({ method }) => method !== 'GET');
  const dangerous = changing.filter(({ method, path }) => NEVER.test(path) && `${method} ${path}` !== DELETION);
  expectSame('dangerous calls', dangerous, []);
  const { mattermost, team } = stage;
  const before = mattermost.count();
  for (const bad of [`${team.id}?permanent=true`, '../users/me', '']) {
    const refused = await mattermost
      .call('archiveTeam', { ids: { team: bad } })
      .then(() => false)
      .catch(() => true);
    expect(refused && mattermost.count() === before, 'a call with a wrong id was sent');
  }
  return `${changing.length} calls that change something`;
}

const DELETION = 'DELETE posts/:post?permanent=true';

/** Returns a client that sends nothing that changes something, and the names of what it should have sent. */
function readOnly(mattermost: Mattermost): { client: Mattermost; attempts: string[] } {
  const attempts: string[] = [];
  const client = watch(mattermost, {
    before(name) {
      if (!isChange(name)) return;
      attempts.push(name);
      throw new CallError(name, 0, { reason: 'the drill sends no changes here' });
    },
  });
  return { client, attempts };
}

async function leaveOtherTeams(stage: Stage): Promise<string> {
  const { mattermost, scope, talk, quay, me } = stage;
  const { client, attempts } = readOnly(mattermost);
  await write(stage, {}, quay);
  await write(stage);
  const direct = await stage.server.send('POST channels/direct', { body: [me.id, me.id] });
  const { id } = z.object({ id: Id }).parse(direct.body);
  const permits: Permit[] = [
    await permitOld(mattermost, quay),
    // A permit for a channel that was moved to another team since.
    { ...(await permitOld(mattermost, talk)), channel: quay.id },
    { ...(await permitOld(mattermost, talk)), channel: id },
  ];
  for (const permit of permits) {
    const { outcomes } = await deleteThreads(client, permit, scope);
    expectSame('outcomes', tally(outcomes), { changed: permit.rows.length });
  }
  expectSame('changing calls', attempts, []);
  return 'a team, a channel that moved, and a direct channel';
}

function ask({ scope, me, owner, team }: Stage, mattermost: Mattermost, { action, user_id, team_id }: Partial<Work>) {
  const work = { action: action ?? 'revoke_sessions', user_id: user_id ?? '', team_id: team_id ?? team.id };
  return doWork({ mattermost, scope, me, owner }, { ...work, channel_ids: [] });
}

const NewToken = z.object({ id: Id, token: z.string() });

async function endAllRequests(stage: Stage): Promise<string> {
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

async function changeMembership(stage: Stage): Promise<string> {
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

async function protectPeople(stage: Stage): Promise<string> {
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

async function nameLesserTokens(stage: Stage): Promise<string> {
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

async function readBrokenAnswer(stage: Stage): Promise<string> {
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

async function rehearseTwice(stage: Stage): Promise<string> {
  // The rehearsal has a team of its own and its own rules about it, so the fence isn't for it.
  const mattermost = createMattermost({ url: stage.server.url, token: stage.server.token });
  const first = await rehearse(mattermost, undefined, { anyVersion: true });
  const reason = first.steps.filter((step) => !step.passed).map(({ name, detail }) => `${name} ${detail}`.trim());
  expectSame('rows of the table that failed', reason, []);
  const before = await countRehearsal(mattermost, first.team ?? '');
  const second = await rehearse(mattermost, first.team, { anyVersion: true });
  expect(second.passed, 'the second rehearsal failed');
  expectSame('rows, channels and members', await countRehearsal(mattermost, first.team ?? ''), before);
  return 'rows, channels and members are the same';
}

async function countRehearsal(mattermost: Mattermost, team: string): Promise<number[]> {
  const all = (await Array.fromAsync(listPages(mattermost, 'listChannels'))).flat();
  const channels = all.filter((channel) => channel.team_id === team);
  const members = (await Array.fromAsync(listPages(mattermost, 'listTeamMembers', { team }))).flat();
  let rows = 0;
  for (const channel of channels) rows += (await sweep(mattermost, channel)).length;
  return [rows, channels.length, members.length];
}

export const POINTS: Point[] = [
  { number: 1, name: 'A sweep finds every row: deleted ones, versions, those of one millisecond', run: findEveryRow },
  { number: 2, name: 'No row holds the words of a message that was pinned, edited and deleted', run: leaveNoWords },
  { number: 3, name: 'A thread with a young reply, also a deleted one, is not touched', run: keepYoungThreads },
  { number: 4, name: 'A whole thread with files on its replies leaves no file', run: deleteFilesOfReplies },
  { number: 5, name: 'Messages that lost all files by an edit are repaired first', run: repairDetachedFiles },
  { number: 6, name: 'A file that was added after the sweep keeps the thread until the next', run: noticeAddedFile },
  { number: 7, name: 'Edits and pins in flight leave no version', run: surviveEdits },
  { number: 8, name: 'A reply after the sweep keeps the thread', run: keepThreadsWithNewReplies },
  { number: 8, name: 'A reply in flight is reported or lost, and nothing else is', run: tellRepliesInFlight },
  { number: 9, name: 'A message that is dated back is found by a sweep', run: findBackdated },
  { number: 11, name: 'Whatever a deletion is answered, the outcome is what a reading says', run: trustOnlyReadings },
  {
    number: 11,
    name: 'The same deletion four times at once deletes all and claims nothing wrong',
    run: deleteFourTimes,
  },
  { number: 12, name: 'A revoked person makes no request any more', run: endAllRequests },
  { number: 12, name: 'Removal, deactivation and return are what a reading says', run: changeMembership },
  {
    number: 13,
    name: 'The bridge has no call that changes settings or deletes people or teams',
    run: lackDangerousCalls,
  },
  { number: 13, name: 'Channels outside of the connected teams get no changing call', run: leaveOtherTeams },
  { number: 13, name: 'Nothing is done to the bot, its owner, or a team that is not connected', run: protectPeople },
  { number: 14, name: 'A lesser token is named, and nothing else is', run: nameLesserTokens },
  { number: 14, name: 'The broken answer for a person without channels is understood', run: readBrokenAnswer },
  { number: 15, name: 'A second rehearsal adds nothing', run: rehearseTwice },
];

/** What can't be checked through the API. */
export const ELSEWHERE: { number: number; name: string; reason: string }[] = [
  { number: 10, name: 'A deletion that is interrupted is finished', reason: 'it needs kills of the server' },
  { number: 14, name: 'Settings that are off are one sentence each', reason: 'it needs changes of settings' },
  { number: 16, name: 'Reply counts of living threads are right', reason: 'only whole threads are deleted' },
];
