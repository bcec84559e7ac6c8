import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import * as model from '#testing/workspace/channels-model.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** CI runs 60 nights. DRILL_DAYS=400 takes five minutes. */
const NIGHTS = Number(process.env.DRILL_DAYS ?? 60);

test(`over ${NIGHTS} nights with jobs of several batches that are killed, members, groups and channels are those of the model`, async () => {
  const world = await model.createWorld(node, { seed: 401, members: 1_100, comers: 40 });
  for (let night = 0; night < NIGHTS; night += 1) {
    await model.liveOneDay(world, 16);
    await model.passNight(world);
    await model.assertStored(world);
  }
});
