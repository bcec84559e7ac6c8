// Points about reading and deleting messages.
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Row } from '../src/answers.ts';
import { deleteThreads, type Report } from '../src/deletion.ts';
import { CallError, type Mattermost } from '../src/mattermost.client.ts';
import { listChanges } from '../src/sweep.ts';
import { watch } from './server.ts';
import { OLD_MS, permitOld, type Stage, succeed, sweep } from './stage.ts';
import {
  changeFiles,
  deleteOld,
  edit,
  expect,
  expectGone,
  expectSame,
  expectUnreachable,
  listMessages,
  softDelete,
  tally,
  upload,
  write,
  writeNow,
} from './steps.ts';

/** More than two pages of a list. */
const MANY = 450;

export async function findEveryRow(stage: Stage): Promise<string> {
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

export async function leaveNoWords(stage: Stage): Promise<string> {
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

/** Rows with the same fingerprint are unchanged. */
const fingerprint = ({ id, update_at, delete_at, file_ids }: Row) => `${id} ${update_at} ${delete_at} ${file_ids}`;

export async function keepYoungThreads(stage: Stage): Promise<string> {
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

export async function deleteFilesOfReplies(stage: Stage): Promise<string> {
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

export async function repairDetachedFiles(stage: Stage): Promise<string> {
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

export async function noticeAddedFile(stage: Stage): Promise<string> {
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
  /** True for each of the other calls that succeeded. */
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

export async function surviveEdits(stage: Stage): Promise<string> {
  for (let count = 0; count < RACES; count += 1) await write(stage, { message: `words ${count}` });
  const { report, others } = await race(stage, (post, count) =>
    count % 2 === 0
      ? edit(stage, post, { message: 'edited in flight' })
      : stage.mattermost.call('pinPost', { ids: { post } }),
  );
  await expectGone(stage, report, RACES);
  return `${others.filter(Boolean).length} of ${RACES} edits and pins got through`;
}

export async function keepThreadsWithNewReplies(stage: Stage): Promise<string> {
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

export async function tellRepliesInFlight(stage: Stage): Promise<string> {
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

export async function findBackdated(stage: Stage): Promise<string> {
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

export async function trustOnlyReadings(stage: Stage): Promise<string> {
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

export async function deleteFourTimes(stage: Stage): Promise<string> {
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
