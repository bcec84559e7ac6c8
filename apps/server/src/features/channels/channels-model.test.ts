import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import * as model from '#testing/workspace/channels-model.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

test('after each night, members, groups and channels are those that people, groups and defaults demand', async () => {
  const world = await model.createWorld(node, { seed: 20_261_128, members: 6, comers: 14 });
  for (let night = 0; night < 40; night += 1) {
    await model.liveOneDay(world, 12);
    await model.passNight(world);
    await model.assertStored(world);
  }
});
