import { afterAll, beforeAll, test } from 'vitest';
import { startApp, type TestApp } from '#testing/app/start-app.ts';
import * as model from '#testing/workspace/ends-model.ts';

let node: TestApp;

beforeAll(async () => {
  node = await startApp({ pool: 1, work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** CI runs 60 days. DRILL_DAYS=400 takes six minutes. */
const DAYS = Number(process.env.DRILL_DAYS ?? 60);

/** One day of a large team: some dates, a few exceptions, and the job, which is killed between two batches on every third day. */
async function live(world: model.World, day: number): Promise<void> {
  await model.changeDates(world, model.pick(world, 60));
  for (const change of [model.removeDate, model.deactivate, model.reactivate, model.reactivate, model.insist])
    for (const member of model.pick(world, 2)) await change(world, member);
  if (day % 20 === 0) await model.changeZone(world);
  await model.pass(world, 1 + world.roll(47));
  await model.assertAccess(world, [...model.pick(world, 4), ...model.findAtTheEdge(world).slice(0, 12)]);
  if (day % 5 !== 0) await model.runJob(world, day % 3 === 0 ? 1 + world.roll(3) : undefined);
  await model.assertStored(world);
}

test(`10,000 members over ${DAYS} days: access ends with the first request after the last day, without exception`, async () => {
  const world = await model.createWorld(node, { seed: 4_041, count: 10_000 });
  for (let day = 0; day < DAYS; day += 1) await live(world, day);
});
