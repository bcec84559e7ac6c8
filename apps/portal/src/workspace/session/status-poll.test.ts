import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PollEnvironment, startPoll } from './status-poll.ts';

function createFakeEnvironment() {
  const ticks = new Set<() => void>();
  const returns = new Set<() => void>();
  const world: PollEnvironment = {
    every: (_ms, tick) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
    onReturn: (tick) => {
      returns.add(tick);
      return () => returns.delete(tick);
    },
  };
  const run = (all: Set<() => void>) => {
    for (const tick of all) tick();
  };
  return { world, pass: () => run(ticks), comeBack: () => run(returns) };
}

/** Lets the promises of the poll finish. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the status is asked for at each interval and at once when the page is looked at again', async () => {
  const { world, pass, comeBack } = createFakeEnvironment();
  let asked = 0;
  const ask = async () => {
    asked += 1;
  };
  startPoll(30_000, ask, world);
  assert.equal(asked, 0);
  pass();
  await settled();
  comeBack();
  assert.equal(asked, 2);
});

test('a slow answer is awaited before asking again', async () => {
  const { world, pass } = createFakeEnvironment();
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  startPoll(30_000, () => (asked++ === 0 ? promise : Promise.resolve()), world);
  pass();
  pass();
  assert.equal(asked, 1);
  resolve();
  await settled();
  pass();
  assert.equal(asked, 2);
});

test('a failed question does not end the poll, ending it does', async () => {
  const { world, pass } = createFakeEnvironment();
  let asked = 0;
  const ask = () => {
    asked += 1;
    return Promise.reject(new Error('no answer'));
  };
  const end = startPoll(30_000, ask, world);
  pass();
  await settled();
  pass();
  await settled();
  assert.equal(asked, 2);
  end();
  pass();
  assert.equal(asked, 2);
});
