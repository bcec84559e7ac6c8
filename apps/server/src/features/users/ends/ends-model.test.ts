import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import * as model from '#testing/workspace/ends-model.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

const STEPS: readonly ((world: model.World) => Promise<void>)[] = [
  (world) => model.changeDates(world, model.pick(world, 6)),
  (world) => model.changeDates(world, model.pick(world, 6)),
  (world) => model.pass(world, 1 + world.roll(40)),
  (world) => model.pass(world, 1 + world.roll(100)),
  (world) => model.runJob(world),
  (world) => model.runJob(world, 1 + world.roll(2)),
  (world) => model.changeZone(world),
  (world) => eachOf(world, model.removeDate),
  (world) => eachOf(world, model.deactivate),
  (world) => eachOf(world, model.reactivate),
  (world) => eachOf(world, model.reactivate),
  (world) => eachOf(world, model.insist),
];

async function eachOf(world: model.World, change: typeof model.insist): Promise<void> {
  for (const member of model.pick(world, 4)) await change(world, member);
}

test('after any changes, zones and days, exactly those have access whose last day is not over', async () => {
  const world = await model.createWorld(node, { seed: 20_270_331, count: 40 });
  for (let step = 0; step < 150; step += 1) {
    await STEPS[world.roll(STEPS.length)]?.(world);
    await model.assertStored(world);
    await model.assertAccess(world, [...model.pick(world, 3), ...model.findAtTheEdge(world).slice(0, 3)]);
  }
});
