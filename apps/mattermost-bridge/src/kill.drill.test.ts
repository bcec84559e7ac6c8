// Ends the bridge, the server and Steward at any moment, as often as it takes, and compares what is left in the end.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Post } from '@steward/mattermost-simulator/model.ts';
import { test } from 'vitest';
import { type FakeSteward, startSteward } from '../testing/fake-steward.ts';
import { COMPILED, DAY_MS, type Rig, rig } from '../testing/rig.ts';

/** CI kills 3 times: each of the three once. KILLS=50 takes two minutes. */
const KILLS = Number(process.env.KILLS ?? 3);
/** The rows of 180 threads need more than one permit. */
const THREADS = Math.max(180, 30 * KILLS);
const YOUNG_THREADS = 60;

test(`after ${KILLS} kills of the bridge, the server and Steward, exactly what was due is gone`, async () => {
  await using rigged = await rig();
  await using steward = await startSteward();
  const { at, team, talk, token } = rigged;
  const random = createRandom(Number(process.env.TEST_SEED ?? 1));
  steward.mappings.push({ remote_team_id: team.id, accepted: true, paused: false, direct_messages: true });
  const young = write(rigged);
  const env = {
    MATTERMOST_URL: at.url,
    MATTERMOST_TOKEN: token,
    STEWARD_URL: steward.url,
    STEWARD_TOKEN: steward.token,
    NODE_COMPILE_CACHE: COMPILED,
  };
  await fill(steward, env);
  steward.order = { cutoff: Date.now() - 30 * DAY_MS, openedAt: Date.now(), rows: 0 };
  let kills = 0;
  while (steward.order !== undefined) {
    const child = start(env);
    const isOver = kills >= KILLS;
    await (isOver ? untilOrderEnds(steward, child) : untilKill({ rigged, steward, victim: 1 + (kills % 3), random }));
    child.kill('SIGKILL');
    await once(child, 'exit');
    at.restart();
    steward.fault = () => undefined;
    // Nothing that counts as gone is there. Steward gives the lease of a dead bridge away.
    for (const [id, outcome] of steward.outcomes) assert.ok(outcome !== 'gone' || !at.world.posts.byId.has(id));
    steward.lease = undefined;
    kills += 1;
  }
  const left = [...at.world.posts.inChannel(talk.id)];
  assert.deepEqual(left.map(({ id }) => id).sort(), young.map(({ id }) => id).sort());
  assert.deepEqual(new Set(steward.outcomes.values()), new Set(['gone']));
  assert.deepEqual([at.counts().fileInfo, at.counts().disk], [0, 0]);
  assert.ok(kills > KILLS);
});

const start = (env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env, stdio: 'ignore' });

/** Threads with files, edits, pins and deleted replies that are old, and some with a young reply, which must stay. */
function write({ at, talk, ada, ben, longAgo }: Rig): Post[] {
  const file = () => at.file(ada, 'a.txt').id;
  for (let count = 0; count < THREADS; count += 1) {
    longAgo(() => {
      const root = at.post(talk, ada, { file_ids: count % 5 === 0 ? [file()] : [] });
      const reply = at.post(talk, ben, { root_id: root.id, file_ids: count % 7 === 0 ? [file()] : [] });
      if (count % 3 === 0) at.edit(reply, 'edited');
      if (count % 4 === 0) at.pin(root);
      if (count % 6 === 0) at.softDelete(reply);
    });
  }
  return Array.from({ length: YOUNG_THREADS }).flatMap(() => {
    const [root, reply] = longAgo(() => {
      const first = at.post(talk, ada);
      return [first, at.post(talk, ben, { root_id: first.id })] as const;
    });
    return [root, reply, at.post(talk, ben, { root_id: root.id })];
  });
}

/** Lets a bridge read everything once. */
async function fill(steward: FakeSteward, env: Record<string, string>): Promise<void> {
  const child = start(env);
  await new Promise<void>((resolve) => {
    steward.fault = () => {
      if (steward.channels.size > 0 && steward.read.size === steward.channels.size) resolve();
      return undefined;
    };
  });
  // A killed process doesn't write the compile cache.
  child.kill('SIGTERM');
  await once(child, 'exit');
  steward.lease = undefined;
}

interface Round {
  rigged: Rig;
  steward: FakeSteward;
  /** Of the bridge, the server and Steward, the one that is killed or fails first. */
  victim: number;
  random: (most: number) => number;
}

/** Resolves at some call of the bridge, or when it ends with the order. */
async function untilKill({ rigged, steward, victim, random }: Round): Promise<void> {
  const { at } = rigged;
  const patience = random(12);
  let permits = 0;
  await new Promise<void>((resolve) => {
    let deletions = random(200);
    const count = () => {
      deletions -= 1;
      if (deletions !== 0) return false;
      resolve();
      return victim === 1;
    };
    at.world.killAt = count;
    at.world.whenDeleting = () => {
      if (victim !== 1) count();
      return undefined;
    };
    steward.fault = (call) => {
      if (steward.order === undefined) resolve();
      if (call === 'POST permits/:/outcomes') permits += 1;
      if (victim !== 2 || permits <= patience) return undefined;
      resolve();
      return 503;
    };
  });
  at.world.whenDeleting = () => undefined;
}

const untilOrderEnds = (steward: FakeSteward, child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    child.once('exit', () => resolve());
    steward.fault = () => {
      if (steward.order === undefined) resolve();
      return undefined;
    };
  });

/** Returns whole numbers from 1 to `most`, the same for the same seed. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return 1 + (state % most);
  };
}
