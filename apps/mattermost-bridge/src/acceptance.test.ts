import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Post } from '@steward/mattermost-simulator/model.ts';
import { changePost } from '@steward/mattermost-simulator/posts/change-post.ts';
import { postRow } from '@steward/mattermost-simulator/render.ts';
import { test } from 'vitest';
import { POINTS } from '../drill/points.ts';
import { createServer, fence } from '../drill/server.ts';
import { openStage } from '../drill/stage.ts';
import { DAY_MS, rig } from '../testing/rig.ts';
import { checkSetup } from './check.ts';
import { deleteThreads, type Permit, type Report } from './deletion.ts';
import { CALLS, createMattermost } from './mattermost.client.ts';
import { rehearse } from './rehearsal.ts';

// The acceptance points of the bridge, by number. `api` can be checked on any server through its API: these points are in drill/points.ts,
// and `npm run drill:mattermost` runs the same functions on a real server. `shell` needs tables, the disk, kills or settings.

/** Counts outcomes by their name. */
function tally({ outcomes }: Report): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of outcomes.values()) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

// drill.test.ts runs the first, which takes longer than all others, on a fresh server too.
test.each(POINTS.slice(1))('$number (api): $name', async ({ run }) => {
  await using rigged = await rig();
  const { at, token, mattermost } = rigged;
  const setup = await checkSetup(mattermost);
  assert.ok(setup.me);
  const server = createServer(at.url, token);
  const stage = await openStage(fence(mattermost, server.own), server, { me: setup.me, owner: setup.owner });
  await run(stage);
});

test('2 (shell): no table holds the words of a post that was pinned, unpinned, edited and deleted', async () => {
  await using rigged = await rig();
  const { at, old, longAgo } = rigged;
  const post = old({ message: 'secret words' });
  longAgo(() => {
    at.pin(post);
    at.pin(post);
    at.edit(post, 'secret words, edited');
  });
  assert.equal(at.search('secret').length, 4);
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 4 });
  assert.deepEqual(at.search('secret'), []);
});

test('3 (shell): a thread with a young reply, soft-deleted or not, is never touched', async () => {
  await using rigged = await rig();
  const { at, old, talk, ben } = rigged;
  for (const isDeleted of [false, true]) {
    const root = old();
    old({ root_id: root.id });
    const young = at.post(talk, ben, { root_id: root.id });
    if (isDeleted) at.softDelete(young);
  }
  const before = at.counts();
  assert.deepEqual(tally(await rigged.deleteDue()), {});
  assert.deepEqual(at.counts(), before);
});

test('4 (shell): a whole thread with files on its replies leaves no file row and no file on disk', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo } = rigged;
  const file = () => longAgo(() => at.file(ada, 'a.png').id);
  const root = old({ file_ids: [file()] });
  const replies = [1, 2, 3].map(() => old({ root_id: root.id, file_ids: [file(), file()] }));
  longAgo(() => {
    at.edit(replies[0]!, 'edited');
    at.softDelete(replies[1]!);
  });
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 5 });
  const { posts, fileInfo, disk, threads } = at.counts();
  assert.deepEqual({ posts, fileInfo, disk, threads }, { posts: 0, fileInfo: 0, disk: 0, threads: 0 });
});

test('5 (shell): a post that lost all files by an edit is repaired first, and a soft-deleted one is kept and reported', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo, mattermost } = rigged;
  const detach = () => {
    const post = old({ file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
    at.world.files.get(post.file_ids[0]!)!.delete_at = 1;
    longAgo(() => at.world.posts.insert({ ...post, id: at.world.id(), original_id: post.id, delete_at: 1 }));
    post.file_ids = [];
    return post;
  };
  detach();
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 3 }, 'the post, its version, and that of the repair');
  assert.deepEqual([at.counts().posts, at.counts().fileInfo, at.counts().disk], [0, 0, 0]);
  const deleted = detach();
  longAgo(() => at.softDelete(deleted));
  assert.deepEqual(tally(await rigged.deleteDue()), { residue: 2 });
  assert.equal(at.counts().disk, 1, 'nothing was uploaded in vain');
  assert.ok(await mattermost.find('readRow', { ids: { post: deleted.id } }));
});

test('6 (shell): a file that was added after the sweep keeps the thread, and leaves nothing on disk the next time', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo, mattermost, scope } = rigged;
  const post = old({ file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
  const permit = await rigged.permit();
  const { posts } = at.world;
  longAgo(() => {
    const added = at.file(ada, 'b.txt').id;
    at.world.filesOfPost.set(post.id, [...post.file_ids, added]);
    Object.assign(at.world.files.get(added)!, { post_id: post.id });
    posts.byId.get(post.id)!.file_ids = [...post.file_ids, added];
  });
  assert.deepEqual(tally(await deleteThreads(mattermost, permit, scope)), { changed: 1 });
  assert.equal(at.counts().disk, 2);
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 1 });
  assert.deepEqual([at.counts().fileInfo, at.counts().disk], [0, 0]);
  assert.ok(!at.requests.some(({ path }) => path.includes('files/info')), 'the server remembers no list of files');
});

test('7 (shell): an edit or a pin in flight at each of 20 deletions leaves no version after the sweep', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  for (let count = 0; count < 20; count += 1) old({ message: 'secret words' });
  let races = 0;
  at.world.whenDeleting = (post) => {
    if (post.original_id !== '') return undefined;
    races += 1;
    return races % 2 === 0 ? 'edit' : 'pin';
  };
  const permit = await rigged.permit();
  for (const rows of [permit.rows.slice(0, 10), permit.rows.slice(10)]) {
    assert.deepEqual(tally(await deleteThreads(mattermost, { ...permit, rows }, scope)), { gone: 20 });
  }
  assert.equal(races, 20);
  assert.deepEqual(at.search('secret'), []);
});

test('5 (shell): a reply that lost all files by an edit is repaired, and its root goes with it', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo } = rigged;
  const root = old();
  const reply = old({ root_id: root.id, file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
  longAgo(() => changePost(at.world, reply, { file_ids: [] }));
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 4 }, 'two posts, a version, and that of the repair');
  assert.deepEqual([at.counts().posts, at.counts().fileInfo, at.counts().disk], [0, 0, 0]);
});

test.each(['edit', 'pin'] as const)(
  '7 (shell): the whole thread goes although a reply has a change in flight: %s',
  async (race) => {
    await using rigged = await rig();
    const { at, old } = rigged;
    const root = old();
    for (let count = 0; count < 3; count += 1) old({ root_id: root.id, message: 'secret words' });
    at.world.whenDeleting = (post) => (post.original_id === '' && post.root_id !== '' ? race : undefined);
    assert.deepEqual(tally(await rigged.deleteDue()), { gone: 7 });
    assert.equal(at.counts().posts, 0);
  },
);

test('7 (shell): a reply that is pinned while other threads are deleted is no strange reply', async () => {
  for (const isBegun of [false, true]) {
    await using rigged = await rig();
    const { at, old, mattermost, scope } = rigged;
    const first = old();
    const root = old();
    const reply = old({ root_id: root.id });
    const permit = await rigged.permit();
    at.world.whenDeleting = (post) => {
      if (post.id === first.id) at.pin(reply);
      return undefined;
    };
    const rows = permit.rows.toSorted((a, b) => Number(b.id === first.id) - Number(a.id === first.id));
    const report = await deleteThreads(mattermost, { ...permit, rows, isBegun }, scope);
    assert.deepEqual(tally(report), isBegun ? { gone: 4 } : { gone: 1, changed: 2 });
  }
});

test('11 (shell): a root stays open with a reply whose deletion fails, and both go when it is repeated', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  const root = old();
  const replies = [1, 2].map(() => old({ root_id: root.id }));
  const permit = await rigged.permit();
  at.fault({ method: 'DELETE', path: new RegExp(replies[0]!.id), times: 1, status: 500 });
  assert.deepEqual([...(await deleteThreads(mattermost, permit, scope)).outcomes], [[replies[1]!.id, 'gone']]);
  assert.deepEqual([...at.world.posts.byId.keys()], [root.id, replies[0]!.id]);
  assert.deepEqual(tally(await deleteThreads(mattermost, { ...permit, isBegun: true }, scope)), { gone: 3 });
});

test('7 (shell): a file that an edit in flight added is residue of the version that names it', async () => {
  await using rigged = await rig();
  const { at, old, ada } = rigged;
  const post = old();
  at.world.whenDeleting = (row) => {
    if (row.id !== post.id) return undefined;
    changePost(at.world, row, { file_ids: [at.file(ada, 'b.txt').id] });
    return 'edit';
  };
  const { outcomes } = await rigged.deleteDue();
  const residue = [...outcomes.values()].filter((outcome) => outcome === 'residue');
  assert.deepEqual([outcomes.get(post.id), outcomes.size], ['gone', 3]);
  assert.equal(residue.length, 1, 'the file can still be reached');
});

test('8 (shell): a reply that arrives while the replies are deleted keeps the root', async () => {
  await using rigged = await rig();
  const { at, old, talk, ben } = rigged;
  const root = old();
  const reply = old({ root_id: root.id });
  at.world.whenDeleting = (post) => {
    if (post.id === reply.id) at.post(talk, ben, { root_id: root.id, message: 'just now' });
    return undefined;
  };
  assert.deepEqual(tally(await rigged.deleteDue()), { thread: 1, gone: 1 });
  assert.equal(at.search('just now').length, 1);
});

test('8 (shell): a reply that survives its root as an orphan is reported and stays', async () => {
  await using rigged = await rig();
  const { at, old } = rigged;
  old();
  at.world.whenDeleting = () => 'reply survives';
  const report = await rigged.deleteDue();
  assert.deepEqual(tally(report), { gone: 1 });
  const [orphan, ...more] = [...at.world.posts.byId.keys()];
  assert.deepEqual([report.orphans, more], [[orphan], []]);
});

test('10 (shell): a deletion that the server’s death interrupts is finished by its repetition, and nothing is gone that isn’t', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo, mattermost, scope } = rigged;
  const root = old();
  for (let count = 0; count < 12; count += 1) {
    old({ root_id: root.id, file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
  }
  const permit = await rigged.permit();
  const stages = ['disk', 'files', 'done'] as const;
  let kills = 0;
  for (let attempts = 0; ; attempts += 1) {
    let deletions = 0;
    at.world.killAt = (_, stage) => {
      deletions += 1;
      return stage === stages[kills] && deletions > 3;
    };
    const report = await deleteThreads(mattermost, { ...permit, isBegun: attempts > 0 }, scope);
    for (const [id, outcome] of report.outcomes) assert.ok(outcome !== 'gone' || !at.world.posts.byId.has(id));
    if (!at.world.isDown) {
      assert.deepEqual(tally(report), { gone: 13 });
      break;
    }
    assert.deepEqual(tally(report), {}, 'everything is open after a call without an answer');
    kills += 1;
    at.restart();
  }
  assert.equal(kills, 3);
  assert.deepEqual([at.counts().posts, at.counts().fileInfo, at.counts().disk], [0, 0, 0]);
});

test('10 (shell): a new reply keeps the root of an interrupted deletion, and what is gone counts as gone', async () => {
  await using rigged = await rig();
  const { at, old, talk, ben, mattermost, scope } = rigged;
  const root = old();
  for (let count = 0; count < 3; count += 1) old({ root_id: root.id });
  const permit = await rigged.permit();
  let deletions = 0;
  at.world.killAt = () => {
    deletions += 1;
    return deletions === 2;
  };
  await deleteThreads(mattermost, permit, scope);
  at.restart();
  at.post(talk, ben, { root_id: root.id });
  const report = await deleteThreads(mattermost, { ...permit, isBegun: true }, scope);
  assert.deepEqual(tally(report), { thread: 2, gone: 2 });
  assert.ok(at.world.posts.byId.has(root.id));
});

test('10 (shell): an interrupted deletion is finished even if the root was edited since', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  const root = old({ message: 'secret words' });
  old({ root_id: root.id });
  const permit = await rigged.permit();
  at.world.killAt = () => true;
  await deleteThreads(mattermost, permit, scope);
  at.restart();
  at.advance(-60_000);
  at.edit(root, 'secret words, edited');
  at.advance(60_000);
  const again = { ...permit, sweptAt: permit.sweptAt - 120_000 };
  assert.deepEqual(tally(await deleteThreads(mattermost, again, scope)), { changed: 1, gone: 1 });
  assert.deepEqual(tally(await deleteThreads(mattermost, { ...again, isBegun: true }, scope)), { gone: 3 });
  assert.deepEqual(at.search('secret'), []);
});

test('11 (shell): whatever a deletion is answered, the outcome is what a reading says', async () => {
  const faults = [
    { status: 200, after: false, outcome: {} },
    { status: 200, after: true, outcome: { gone: 1 } },
    { status: 400, after: true, outcome: { gone: 1 } },
    { status: 404, after: false, outcome: {} },
    { status: 404, after: true, outcome: { gone: 1 } },
    { status: 500, after: false, outcome: {} },
    { status: 500, after: true, outcome: { gone: 1 } },
  ];
  for (const { outcome, ...fault } of faults) {
    await using rigged = await rig();
    rigged.old();
    rigged.at.fault({ method: 'DELETE', path: /permanent=true/, ...fault });
    assert.deepEqual(tally(await rigged.deleteDue()), outcome, JSON.stringify(fault));
  }
});

test('11 (shell): a deletion whose answer is lost stays open, and its repetition finds it gone', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  old();
  const permit = await rigged.permit();
  at.fault({ method: 'DELETE', path: /permanent=true/, times: 1, after: true, drop: true });
  const first = await deleteThreads(mattermost, permit, scope);
  const second = await deleteThreads(mattermost, { ...permit, isBegun: true }, scope);
  assert.deepEqual(tally(second), { gone: 1 });
  assert.ok(first.outcomes.size === 0 || tally(first).gone === 1);
});

test.each([403, 500])(
  '11 (shell): a row is open while the reading after its deletion is answered %i',
  async (status) => {
    await using rigged = await rig();
    rigged.old();
    rigged.at.fault({ method: 'DELETE', path: /permanent=true/ });
    rigged.at.fault({ method: 'GET', path: /posts\/\w{26}\?include_deleted/, skip: 1, status });
    assert.deepEqual(tally(await rigged.deleteDue()), {});
  },
);

test('11 (shell): what a server that answers 200 and does nothing still has is residue at the last attempt, and its root stays for it', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  const root = old();
  const replies = [1, 2].map(() => old({ root_id: root.id }));
  const alone = old();
  const other = old();
  const permit = await rigged.permit();
  for (const { id } of [replies[0]!, alone]) at.fault({ method: 'DELETE', path: new RegExp(id), status: 200 });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const report = await deleteThreads(mattermost, { ...permit, isBegun: attempt > 0 }, scope);
    assert.deepEqual([tally(report), report.isComplete], [{ gone: 2 }, true]);
  }
  const { outcomes } = await deleteThreads(mattermost, { ...permit, isBegun: true, isLast: true }, scope);
  assert.deepEqual(Object.fromEntries(outcomes), {
    [root.id]: 'thread',
    [replies[0]!.id]: 'residue',
    [replies[1]!.id]: 'gone',
    [alone.id]: 'residue',
    [other.id]: 'gone',
  });
  assert.deepEqual([...at.world.posts.byId.keys()].sort(), [root.id, replies[0]!.id, alone.id].sort());
});

test('11 (shell): a message about which the server refuses to tell keeps only its own thread open, also at the last attempt', async () => {
  await using rigged = await rig();
  const { at, old, longAgo, mattermost, scope } = rigged;
  const [first, second, edited] = [old(), old(), old()];
  const reply = old({ root_id: second.id });
  longAgo(() => at.edit(edited, 'edited'));
  const permit = await rigged.permit();
  const version = permit.rows.find(({ original_id }) => original_id === edited.id)!;
  at.fault({ path: /posts\/ids$/, status: 500 });
  for (const { id } of [reply, version]) at.fault({ path: new RegExp(`posts/${id}`), status: 500 });
  const report = await deleteThreads(mattermost, { ...permit, isLast: true }, scope);
  const kept = { [second.id]: 'thread', [edited.id]: 'thread' };
  assert.deepEqual(Object.fromEntries(report.outcomes), { [first.id]: 'gone', ...kept });
  assert.equal(report.isComplete, true);
  const left = [second, reply, edited, version].map(({ id }) => id);
  assert.deepEqual([...at.world.posts.byId.keys()].sort(), left.sort());
});

test.each([
  ['the rights are missing', { method: 'DELETE', path: /permanent=true/, status: 403 }],
  ['the setting is off', { method: 'DELETE', path: /permanent=true/, status: 501 }],
  ['the token is refused', { path: /posts\/\w{26}\?include_deleted/, status: 401 }],
  ['a proxy answers', { path: /posts\/\w{26}\?include_deleted/, status: 404, body: 'Not found' }],
  ['nothing answers', { path: /posts\/\w{26}\?include_deleted/, drop: true }],
] as const)('11 (shell): an attempt is not complete while %s, and nothing is residue by it', async (_, fault) => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  old();
  const permit = await rigged.permit();
  at.fault(fault);
  const report = await deleteThreads(mattermost, { ...permit, isBegun: true, isLast: true }, scope);
  assert.deepEqual([tally(report), report.isComplete], [{}, false]);
});

test('13 (shell): once the team left, a permit that was begun changes nothing, and each message is reported as it is', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo, mattermost, scope } = rigged;
  const withFile = () => old({ file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
  const [gone, whole, half, orphaned] = [withFile(), withFile(), withFile(), withFile()];
  const permit = await rigged.permit();
  at.world.killAt = (post, stage) => post.id === half.id && stage === 'files';
  await deleteThreads(mattermost, { ...permit, rows: permit.rows.filter(({ id }) => id === half.id) }, scope);
  at.restart();
  await deleteThreads(mattermost, { ...permit, rows: permit.rows.filter(({ id }) => id === gone.id) }, scope);
  at.world.posts.remove(at.world.posts.byId.get(orphaned.id)!);
  const from = at.requests.length;
  const left = { teams: new Set<string>(), directMessages: false };
  for (const [only, within] of [
    [true, scope],
    [false, left],
  ] as const) {
    const report = await deleteThreads(mattermost, { ...permit, isBegun: true, onlyRead: only }, within);
    assert.equal(report.isComplete, true);
    assert.deepEqual(Object.fromEntries(report.outcomes), {
      [gone.id]: 'gone',
      [whole.id]: 'changed',
      [half.id]: 'residue',
      [orphaned.id]: 'residue',
    });
  }
  assert.deepEqual([...new Set(at.requests.slice(from).map(({ method }) => method))], ['GET']);
});

/** Answers of 404 that say nothing about a row: a proxy's page, a page of the server's own, and a route that it doesn't know. */
const STRAY = [
  { status: 404, body: '<html><body>Not found</body></html>' },
  { status: 404, body: '404 page not found' },
  { status: 404, body: JSON.stringify({ id: 'api.context.404.app_error', message: '', status_code: 404 }) },
];

test.each(STRAY)(
  '11 (shell): a row is not gone because its reading is answered by a 404 such as $body',
  async (stray) => {
    await using rigged = await rig();
    rigged.old();
    rigged.at.fault({ method: 'DELETE', path: /permanent=true/ });
    rigged.at.fault({ method: 'GET', path: /posts\/\w{26}\?include_deleted/, skip: 1, ...stray });
    assert.deepEqual(tally(await rigged.deleteDue()), {});
  },
);

test.each(STRAY)(
  '11 (shell): a file is not gone because its reading is answered by a 404 such as $body',
  async (stray) => {
    await using rigged = await rig();
    const { at, old, ada, longAgo } = rigged;
    old({ file_ids: [longAgo(() => at.file(ada, 'a.txt').id)] });
    at.fault({ path: /files\/\w{26}\/info/, ...stray });
    assert.deepEqual(tally(await rigged.deleteDue()), {});
    assert.equal(at.counts().posts, 0);
  },
);

test.each(STRAY)('11 (shell): nothing is deleted while rows are answered by a 404 such as $body', async (stray) => {
  await using rigged = await rig();
  const { at, old, talk, mattermost, scope } = rigged;
  old();
  const permit = await rigged.permit();
  for (const path of [/posts\/ids$/, new RegExp(`channels/${talk.id}$`)]) {
    at.world.faults.splice(0);
    at.fault({ path, ...stray });
    const before = at.requests.length;
    assert.deepEqual(tally(await deleteThreads(mattermost, permit, scope)), {});
    assert.ok(!at.requests.slice(before).some(({ method }) => method === 'DELETE'));
  }
});

test.each(STRAY)('14 (shell): a server is not ready for deletion because of a 404 such as $body', async (stray) => {
  await using rigged = await rig();
  rigged.at.fault({ method: 'DELETE', path: /permanent=true/, ...stray });
  const { problems } = await checkSetup(rigged.mattermost);
  assert.deepEqual(problems, ['The server answers 404 where it should say that a post does not exist.']);
});

test('13 (source): the bridge can call nothing that changes settings or deletes people or channels', () => {
  const changing = Object.values(CALLS)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual([...new Set(changing)].sort(), [
    'DELETE posts/:post',
    'DELETE posts/:post?permanent=true',
    'DELETE teams/:team',
    'DELETE teams/:team/members/:user',
    'POST channels',
    'POST channels/:channel/members',
    'POST channels/direct',
    'POST files',
    'POST posts',
    'POST posts/:post/pin',
    'POST posts/ids',
    'POST reactions',
    'POST teams',
    'POST teams/:team/restore',
    'POST users/:user/sessions/revoke/all',
    'POST users/password/reset/send',
    'POST users/tokens/disable',
    'PUT posts/:post/patch',
    'PUT users/:user/active',
  ]);
  for (const file of globSync('*.ts', { cwd: import.meta.dirname })) {
    if (file.endsWith('.test.ts')) continue;
    assert.doesNotMatch(readFileSync(join(import.meta.dirname, file), 'utf8'), /config\/patch/, file);
  }
});

const SETTINGS: [name: string, change: (rigged: Awaited<ReturnType<typeof rig>>) => void, sentence: RegExp][] = [
  [
    'post deletion off',
    ({ at }) => at.set('ServiceSettings', 'EnableAPIPostDeletion', false),
    /EnableAPIPostDeletion is off/,
  ],
  ['a lesser token', ({ bot }) => Object.assign(bot, { roles: 'system_user' }), /needs the role system admin/],
  ['a disabled bot', ({ bot }) => Object.assign(bot, { delete_at: 1 }), /does not accept the token/],
  [
    'archived channels hidden',
    ({ at }) => at.set('TeamSettings', 'ExperimentalViewArchivedChannels', false),
    /ExperimentalViewArchivedChannels is off/,
  ],
  [
    'a license with retention',
    ({ at }) => {
      at.world.isLicensed = true;
      at.set('DataRetentionSettings', 'EnableMessageDeletion', true);
    },
    /retention of its own/,
  ],
  ['a newer version', ({ at }) => Object.assign(at.world, { version: '11.6.0' }), /has version 11\.6\.0/],
  ['an older version', ({ at }) => Object.assign(at.world, { version: '10.1.0' }), /has version 10\.1\.0/],
  ['hidden history', ({ at }) => Object.assign(at.world.limits, { postHistoryLimit: 10_000 }), /hides old messages/],
  ['broken JSON', ({ at }) => at.fault({ path: /config$/, body: '[{"id":"x"' }), /could not be finished/],
  [
    'plain text',
    ({ at }) => at.fault({ path: /limits/, status: 502, body: 'Bad gateway' }),
    /readLimits failed: status 502/,
  ],
];

test.each(SETTINGS)('14 (shell): %s is one sentence, and a rehearsal changes nothing', async (_, change, sentence) => {
  await using rigged = await rig();
  const { at, mattermost } = rigged;
  assert.deepEqual((await checkSetup(mattermost)).problems, []);
  change(rigged);
  const { problems } = await checkSetup(mattermost);
  assert.equal(problems.length, 1, problems.join('\n'));
  assert.match(problems[0] ?? '', sentence);
  const before = at.counts();
  const result = await rehearse(mattermost);
  assert.equal(result.passed, false);
  assert.deepEqual(at.counts(), before);
});

test('14 (shell): the rate limit’s plain text makes the bridge wait and go on', async () => {
  await using rigged = await rig();
  const { at, old, pauses } = rigged;
  for (let count = 0; count < 20; count += 1) old();
  at.set('RateLimitSettings', 'Enable', true);
  at.set('RateLimitSettings', 'MaxBurst', 10);
  at.set('RateLimitSettings', 'PerSec', 1);
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 20 });
  assert.ok(pauses.length > 0 && pauses.every((ms) => ms === 1_000));
});

test('14 (shell): a setting that is switched off in the middle leaves the rest open', async () => {
  await using rigged = await rig();
  const { at, old } = rigged;
  for (let count = 0; count < 5; count += 1) old();
  let deletions = 0;
  at.world.whenDeleting = () => {
    deletions += 1;
    if (deletions === 2) at.set('ServiceSettings', 'EnableAPIPostDeletion', false);
    return undefined;
  };
  assert.deepEqual(tally(await rigged.deleteDue()), {});
  assert.equal(at.counts().posts, 3);
});

test('15 (shell): a second and a third rehearsal change no number of rows and no file on disk', async () => {
  await using rigged = await rig();
  const { at, mattermost } = rigged;
  const first = await rehearse(mattermost);
  assert.deepEqual(
    first.steps.filter((step) => !step.passed),
    [],
  );
  assert.ok(at.world.teams.get(first.team ?? '')?.delete_at, 'the team is archived');
  const before = at.counts();
  for (let count = 0; count < 2; count += 1) {
    const next = await rehearse(mattermost, first.team);
    assert.equal(next.passed, true);
    assert.equal(next.team, first.team);
    assert.deepEqual(at.counts(), before);
  }
});

test('16 (shell): the reply counts of living threads stay right', async () => {
  await using rigged = await rig();
  const { at, old, talk, ben } = rigged;
  const living = old();
  old({ root_id: living.id });
  at.post(talk, ben, { root_id: living.id });
  const due = old();
  old({ root_id: due.id });
  assert.deepEqual(tally(await rigged.deleteDue()), { gone: 2 });
  assert.deepEqual([...at.world.threads.keys()], [living.id]);
  assert.equal(at.world.threads.get(living.id)?.reply_count, 2);
});

test('a post that is young by now, or whose channel is another, is kept', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  const [first, second] = [old(), old()];
  const permit = await rigged.permit();
  at.world.posts.byId.get(first!.id)!.create_at = permit.cutoff + 1;
  at.world.posts.byId.get(second!.id)!.update_at = Date.now() - DAY_MS / 2;
  assert.deepEqual(tally(await deleteThreads(mattermost, permit, scope)), { young: 2 });
});

/** Lists of rows that lack what is there: all of them, or the second. */
const LACKING = [
  ['no row', () => ({ status: 404, body: JSON.stringify({ id: 'app.post.get.app_error', status_code: 404 }) })],
  ['one row of two', (first: object) => ({ body: JSON.stringify([first]) })],
] as const;

test.each(LACKING)('rows are compared by themselves if a list of them has %s', async (_, lack) => {
  const changes: [reason: string, (post: Post, permit: Permit) => void][] = [
    ['young', (post, { cutoff }) => Object.assign(post, { create_at: cutoff + 1 })],
    ['changed', (post) => Object.assign(post, { channel_id: 'z'.repeat(26) })],
    ['changed', (post) => Object.assign(post, { file_ids: ['z'.repeat(26)] })],
    ['young', (post) => Object.assign(post, { update_at: Date.now() - DAY_MS / 2 })],
  ];
  for (const [reason, change] of changes) {
    await using rigged = await rig();
    const { at, old, mattermost, scope } = rigged;
    const [first, second] = [old(), old()];
    const permit = await rigged.permit();
    change(second, permit);
    at.fault({ path: /posts\/ids$/, ...lack(postRow(at.world, first)) });
    const report = await deleteThreads(mattermost, permit, scope);
    assert.deepEqual([report.outcomes.get(first.id), report.outcomes.get(second.id)], ['gone', reason]);
    assert.ok(at.world.posts.byId.has(second.id));
  }
});

test('a row without a fresh reading is never asked to be deleted', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  const [first, second] = [old(), old()];
  const permit = await rigged.permit();
  at.world.posts.remove(second);
  const before = at.requests.length;
  assert.deepEqual(tally(await deleteThreads(mattermost, permit, scope)), { gone: 2 });
  const deletions = at.requests.slice(before).filter(({ method }) => method === 'DELETE');
  assert.deepEqual(
    deletions.map(({ path }) => path),
    [`posts/${first.id}?permanent=true`],
  );
});

test('a row that is gone while its file can still be reached is residue', async () => {
  await using rigged = await rig();
  const { at, old, ada, longAgo } = rigged;
  const id = longAgo(() => at.file(ada, 'a.txt').id);
  old({ file_ids: [id] });
  at.fault({ path: /files\/\w+\/info/, body: JSON.stringify({ id }) });
  assert.deepEqual(tally(await rigged.deleteDue()), { residue: 1 });
});

test('a permit that lacks the root or a reply of a thread deletes nothing of it', async () => {
  await using rigged = await rig();
  const { at, old, mattermost, scope } = rigged;
  const root = old();
  for (let count = 0; count < 2; count += 1) old({ root_id: root.id });
  const permit = await rigged.permit();
  const before = at.counts();
  const replies = permit.rows.filter((row) => row.id !== root.id);
  assert.deepEqual(tally(await deleteThreads(mattermost, { ...permit, rows: replies }, scope)), { thread: 2 });
  const lacksReply = permit.rows.filter((row) => row.id !== replies[0]?.id);
  assert.deepEqual(tally(await deleteThreads(mattermost, { ...permit, rows: lacksReply }, scope)), { thread: 2 });
  assert.deepEqual(at.counts(), before);
});

test('a token with a wrong address is one sentence', async () => {
  const { problems } = await checkSetup(createMattermost({ url: 'http://127.0.0.1:9', token: 'x' }));
  assert.match(problems.join(), /^The checks could not be finished\. The call ping failed: no answer/);
});
