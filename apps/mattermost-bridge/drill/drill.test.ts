import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { MattermostSimulator } from '@steward/mattermost-simulator/simulator.ts';
import { test } from 'vitest';
import { CALLS } from '../src/mattermost.client.ts';
import { type Rig, rig } from '../testing/rig.ts';
import { runDrill } from './drill.ts';
import { POINTS } from './points.ts';

async function runProgram(args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { env: {} });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { out, err, code };
}

/** Runs the points whose name begins so. */
async function run({ at, token }: Rig, name?: string) {
  const lines: string[] = [];
  const points = POINTS.filter((point) => name === undefined || point.name.startsWith(name));
  assert.ok(points.length > 0, name);
  const print = (line: string) => {
    lines.push(line);
    // Messages of a point that failed go at once, because the drill deletes each by several calls.
    if (line.startsWith('failed ')) for (const post of [...at.world.posts.byId.values()]) at.world.posts.remove(post);
  };
  const code = await runDrill({ url: at.url, token, print, points });
  return { code, lines, failed: lines.filter((line) => line.startsWith('failed ')) };
}

const OUTPUT = `Mattermost 10.12.0 at URL

passed           1  A sweep finds every row: deleted ones, versions, those of one millisecond (473 rows, 23 of them versions; all deleted)
passed           2  No row holds the words of a message that was pinned, edited and deleted (4 versions)
passed           3  A thread with a young reply, also a deleted one, is not touched (a living and a deleted reply)
passed           4  A whole thread with files on its replies leaves no file (7 files)
passed           5  Messages that lost all files by an edit are repaired first (a message and a reply were repaired)
passed           6  A file that was added after the sweep keeps the thread until the next (kept at first, then deleted with both files)
passed           7  Edits and pins in flight leave no version (n of 40 edits and pins got through)
passed           8  A reply after the sweep keeps the thread (one of now, and one dated back)
passed           8  A reply in flight is reported or lost, and nothing else is (n of 10 were accepted: n survived and were reported, n were lost with their thread)
passed           9  A message that is dated back is found by a sweep (in no list of changes; a sweep finds it)
passed          11  Whatever a deletion is answered, the outcome is what a reading says (10 kinds of answers)
passed          11  The same deletion four times at once deletes all and claims nothing wrong (n outcomes of 4 permits for the same 6 rows)
passed          12  A revoked person makes no further requests (two sessions (personal tokens: 501). Webhooks go on working.)
passed          12  Removal, deactivation and return are what a reading says (removed, deactivated, reactivated)
passed          13  The bridge has no call that changes settings or deletes people or teams (19 calls that change something)
passed          13  Channels outside of the connected teams get no changing call (a team, a channel that moved, and a direct channel)
passed          13  Nothing is done to the bot, its owner, or a team that is not connected (16 kinds of work for the bot, its owner, and a team that is not connected)
passed          14  A lesser token is named, and nothing else is (a wrong token, and that of a person)
passed          14  The broken answer for a person without channels is understood (the answer 404)
passed          15  A second rehearsal adds nothing (rows, channels and members are the same)
not applicable  10  A deletion that is interrupted is finished (it needs kills of the server)
not applicable  14  Settings that are off are one sentence each (it needs changes of settings)
not applicable  16  Reply counts of living threads are right (only whole threads are deleted)

Stays at the server: the account retention-drill-helper, deactivated; EnableAPIUserDeletion would allow its deletion.
Stays at the server: the team retention-drill, archived and empty; EnableAPITeamDeletion would allow its deletion.
Stays at the server: the team retention-drill-other, archived and empty; EnableAPITeamDeletion would allow its deletion.
Stays at the server: the archived team of the rehearsal, and the direct channel of the bot with itself.

20 passed, 0 failed, 3 not applicable.
`;

test('the program prints one line for each point, says what stays, and leaves everything else as it was', async () => {
  await using rigged = await rig();
  const { at, token, talk, ada } = rigged;
  const post = rigged.old();
  at.post(talk, ada);
  const { out, err, code } = await runProgram(['--url', at.url, '--token', token]);
  const shown = out
    .replace(at.url, 'URL')
    .replace(/\d+(?= of 40 edits| of 10 were accepted| survived| were lost| outcomes)/g, 'n');
  assert.equal(shown, OUTPUT);
  assert.deepEqual([err, code], ['', 0]);
  assert.ok(at.world.posts.byId.has(post.id));
  const foreign = [...at.world.posts.byId.values()].filter((row) => row.channel_id === talk.id);
  assert.equal(foreign.length, 2);
  assert.ok(!out.includes(token));
});

test('without a server, or with an unencrypted address, it says so in one sentence and ends with 2', async () => {
  const none = await runProgram([]);
  assert.match(none.err, /^No server was given, so nothing was tried: --url and --token are missing\.\n/);
  assert.deepEqual([none.out, none.code], ['', 2]);
  const unencrypted = await runProgram(['--url', 'http://chat.example.invalid', '--token', 'x']);
  assert.match(unencrypted.err, /^--url must begin with https:.*\.\n$/);
  assert.equal(unencrypted.code, 2);
});

/** A server that answers `since` with nothing. */
const hideChanges = (at: MattermostSimulator) =>
  at.fault({ path: /[?&]since=/, body: JSON.stringify({ order: [], posts: {} }) });
/** A server that forgets which rows belong to a thread. */
const forgetThreads = (at: MattermostSimulator) => {
  at.world.posts.inThread = () => [];
};
const keepFiles = (at: MattermostSimulator) => {
  at.world.files.delete = () => false;
};
const pretendGone = (at: MattermostSimulator) =>
  at.fault({
    method: 'GET',
    path: /posts\/\w{26}\?include_deleted/,
    status: 404,
    body: JSON.stringify({ id: 'app.post.get.app_error', status_code: 404 }),
  });
const keepRows = (at: MattermostSimulator, isKept: (row: { root_id: string; original_id: string }) => boolean) => {
  const { remove } = at.world.posts;
  at.world.posts.remove = (row) => (isKept(row) ? undefined : remove(row));
};

const FAULTS: [fault: string, point: string, plant: (at: MattermostSimulator) => void][] = [
  [
    'a page of a list is empty',
    'A sweep finds every row',
    (at) => at.fault({ path: /&page=1$/, body: JSON.stringify({ order: [], posts: {} }) }),
  ],
  [
    'versions can’t be deleted',
    'No row holds the words',
    (at) => keepRows(at, ({ original_id }) => original_id !== ''),
  ],
  [
    'replies are hidden',
    'A thread with a young reply',
    (at) => {
      hideChanges(at);
      forgetThreads(at);
    },
  ],
  ['files stay reachable', 'A whole thread with files', keepFiles],
  [
    'the file of a repair is refused',
    'Messages that lost all files',
    (at) => {
      const { files } = at.world;
      files.set = (id, file) => {
        if (file.name === 'empty.txt') throw new Error('no space');
        return Map.prototype.set.call(files, id, file) as typeof files;
      };
    },
  ],
  ['added files stay reachable', 'A file that was added', keepFiles],
  ['changes are hidden', 'Edits and pins in flight', hideChanges],
  [
    'new replies are hidden',
    'A reply after the sweep',
    (at) => {
      hideChanges(at);
      forgetThreads(at);
    },
  ],
  [
    'replies survive and are hidden',
    'A reply in flight',
    (at) => {
      hideChanges(at);
      forgetThreads(at);
    },
  ],
  [
    'the oldest rows are in no list',
    'A message that is dated back',
    (at) => {
      const { inOrder } = at.world.posts;
      at.world.posts.inOrder = (id) => inOrder(id).filter((row) => row.create_at > Date.now() - 450 * 86_400_000);
    },
  ],
  ['living rows can’t be read', 'Whatever a deletion is answered', pretendGone],
  [
    'replies stay but can’t be read',
    'The same deletion four times',
    (at) => {
      pretendGone(at);
      keepRows(at, ({ root_id }) => root_id !== '');
    },
  ],
  ['sessions go on', 'A revoked person', (at) => at.fault({ method: 'POST', path: /sessions\/revoke\/all/ })],
  [
    'a personal token goes on',
    'A revoked person',
    (at) => {
      at.set('ServiceSettings', 'EnableUserAccessTokens', true);
      at.fault({ method: 'GET', path: /users\/\w{26}\/tokens/, body: '[]' });
    },
  ],
  ['a removal does nothing', 'Removal, deactivation', (at) => at.fault({ method: 'DELETE', path: /members/ })],
  [
    'everybody is a plain person',
    'Nothing is done to the bot',
    (at) => {
      at.fault({
        method: 'GET',
        path: /users\/\w{26}$/,
        body: JSON.stringify({
          id: at.world.id(),
          username: 'x',
          email: '',
          first_name: '',
          last_name: '',
          position: '',
          roles: 'system_user',
          delete_at: 0,
        }),
      });
      at.world.teamMembers.get = () => new Map();
      at.fault({
        path: /users\/\w{26}\/teams\/members/,
        body: JSON.stringify(
          [...at.world.teams.values()].map(({ id }) => ({
            team_id: id,
            user_id: at.world.id(),
            scheme_admin: false,
            delete_at: 0,
          })),
        ),
      });
    },
  ],
  [
    'the server names a wrong team',
    'Channels outside of the connected teams',
    (at) => {
      const { channels, teams } = at.world;
      channels.set = (id, channel) => {
        const connected = [...teams.values()].find(({ name }) => name === 'retention-drill');
        const told = channel.name === 'quay' ? { ...channel, team_id: connected?.id ?? '' } : channel;
        return Map.prototype.set.call(channels, id, told) as typeof channels;
      };
    },
  ],
  [
    'everybody is an admin',
    'A lesser token',
    (at) => {
      const { users } = at.world;
      users.set = (id, user) =>
        Map.prototype.set.call(users, id, Object.assign(user, { roles: 'system_user system_admin' })) as typeof users;
    },
  ],
  [
    'a 404 of a proxy',
    'The broken answer',
    (at) => at.fault({ path: /users\/\w+\/channels/, status: 404, body: 'Not found' }),
  ],
  ['files of the rehearsal stay', 'A second rehearsal', keepFiles],
];

test.each(FAULTS)('a fault turns its line red: %s', async (_, point, plant) => {
  await using rigged = await rig();
  plant(rigged.at);
  const { code, failed } = await run(rigged, point);
  assert.equal(failed.length, 1);
  assert.match(failed[0] ?? '', new RegExp(`^failed +\\d+  ${point}.* \\(.+\\)$`));
  assert.equal(code, 1);
});

test('a dangerous call of the bridge turns its line red', async () => {
  await using rigged = await rig();
  const calls = CALLS as Record<string, unknown>;
  calls.patch = { ...CALLS.changePost, path: 'config/patch' };
  try {
    const { failed } = await run(rigged, 'The bridge has no call');
    assert.equal(failed.length, 1);
  } finally {
    delete calls.patch;
  }
});

test('a second drill uses the same teams and the same account', async () => {
  await using rigged = await rig();
  const { at } = rigged;
  await run(rigged, 'A reply after');
  const before = at.counts();
  const { code } = await run(rigged, 'A reply after');
  assert.equal(code, 0);
  const { audits: _, channelMemberHistory: __, ...after } = at.counts();
  const { audits: ___, channelMemberHistory: ____, ...expected } = before;
  assert.deepEqual(after, expected);
});

test('a drill that was killed is cleaned up by the next', async () => {
  await using rigged = await rig();
  const { at } = rigged;
  await run(rigged, 'A reply after');
  const before = at.counts().posts;
  let deletions = 0;
  at.world.killAt = () => {
    deletions += 1;
    return deletions > 5;
  };
  const killed = await run(rigged, 'A reply after');
  assert.equal(killed.code, 1);
  assert.match(killed.lines.join('\n'), /^The drill was interrupted: .*\nThe next drill cleans up: /m);
  at.restart();
  assert.ok(at.counts().posts! > before!);
  assert.equal((await run(rigged, 'A reply after')).code, 0);
  assert.equal(at.counts().posts, before);
});

test('with the settings for it, the teams and the account are deleted', async () => {
  await using rigged = await rig();
  const { at } = rigged;
  at.set('ServiceSettings', 'EnableAPITeamDeletion', true);
  at.set('ServiceSettings', 'EnableAPIUserDeletion', true);
  const before = at.counts();
  const { lines } = await run(rigged, 'A thread with a young reply');
  assert.deepEqual([at.counts().teams, at.counts().users], [before.teams, before.users]);
  assert.equal(lines.filter((line) => line.startsWith('Stays')).length, 1);
});

const FOREIGN: [what: string, make: (rigged: Rig) => void, reason: RegExp][] = [
  [
    'a team',
    ({ at }) => void at.addTeam('retention-drill'),
    /retention-drill that is not the drill's: .* did not create/,
  ],
  [
    'an account',
    ({ at }) => void at.addUser('retention-drill-helper'),
    /account retention-drill-helper that is not the drill's/,
  ],
];

test.each(FOREIGN)('it refuses a server with %s of its name that it did not make', async (_, make, reason) => {
  await using rigged = await rig();
  make(rigged);
  const before = rigged.at.counts();
  const { code, lines } = await run(rigged);
  assert.equal(code, 2);
  assert.match(lines.join('\n'), reason);
  assert.deepEqual(rigged.at.counts(), before);
});

test('it refuses its own team once somebody else is a member or wrote there', async () => {
  await using rigged = await rig();
  const { at, ada } = rigged;
  await run(rigged, 'A reply after');
  const team = [...at.world.teams.values()].find(({ name }) => name === 'retention-drill')!;
  const channel = [...at.world.channels.values()].find(({ name }) => name === 'quay')!;
  at.post(channel, ada);
  assert.match((await run(rigged)).lines.join('\n'), /retention-drill-other .* it has messages of others/);
  at.addToTeam(team, ada);
  assert.match((await run(rigged)).lines.join('\n'), /retention-drill .* it has other members/);
});

test('it refuses the token of a person, and a bot without rights', async () => {
  await using rigged = await rig();
  const { at, owner, bot } = rigged;
  const before = at.counts();
  const person = await run({ ...rigged, token: at.token(owner) });
  assert.match(
    person.lines.join('\n'),
    /Missing: The token belongs to the person .*\n.*did not begin, and nothing was/,
  );
  bot.roles = 'system_user';
  const lesser = await run(rigged);
  assert.match(lesser.lines.join('\n'), /Missing: .* needs the role system admin/);
  assert.deepEqual([person.code, lesser.code, at.counts()], [2, 2, before]);
});

test('a version that the bridge does not know is noted, and tried', async () => {
  await using rigged = await rig();
  rigged.at.world.version = '11.6.0';
  const { code, lines } = await run(rigged, 'No row holds');
  assert.match(lines.join('\n'), /Note: The server has version 11\.6\.0, and the bridge knows 10\.2 to 10\.12 only\./);
  assert.equal(code, 0);
});

test('points that need a person are not applicable at a server that creates none', async () => {
  await using rigged = await rig();
  rigged.at.fault({ method: 'POST', path: /users$/, status: 400 });
  const { code, lines } = await run(rigged, 'A lesser token');
  const line = 'it needs an account of a person, and the server answers 400 api.fault to POST users';
  assert.match(lines.join('\n'), new RegExp(`^not applicable {2}14 {2}A lesser token.* \\(${line}\\)$`, 'm'));
  assert.equal(code, 0);
});

test('points about edited files are not applicable at a server that changes none by an edit', async () => {
  await using rigged = await rig();
  rigged.at.fault({ method: 'PUT', path: /posts\/\w{26}\/patch/, body: JSON.stringify({ id: rigged.at.world.id() }) });
  const { code, lines } = await run(rigged, 'Messages that lost all files');
  assert.match(lines.join('\n'), /^not applicable +5 .* \(this version of the server changes no files by an edit\)$/m);
  assert.equal(code, 0);
});

test('a server with a rate limit makes the drill slower, and nothing else', async () => {
  await using rigged = await rig();
  const { at, token } = rigged;
  at.set('RateLimitSettings', 'Enable', true);
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    at.advance(ms);
  };
  const points = POINTS.filter(({ number }) => number === 4);
  assert.equal(await runDrill({ url: at.url, token, print: () => undefined, pause, points }), 0);
  assert.ok(pauses.length > 0);
});
