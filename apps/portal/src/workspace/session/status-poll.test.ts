import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type PollEnvironment, startPoll } from './status-poll.ts';

function createFakeEnvironment() {
  const ticks = new Set<() => void>();
  const returns = new Set<() => void>();
  let isVisible = true;
  const environment: PollEnvironment = {
    every: (_ms, tick) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    },
    onReturn: (tick) => {
      returns.add(tick);
      return () => returns.delete(tick);
    },
    isVisible: () => isVisible,
  };
  const run = (all: Set<() => void>) => {
    for (const tick of all) tick();
  };
  const hide = () => {
    isVisible = false;
  };
  const comeBack = () => {
    isVisible = true;
    run(returns);
  };
  return { environment, pass: () => run(ticks), hide, comeBack };
}

/** Lets the promises of the poll finish. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the status is requested at each interval, and immediately when the page becomes visible again', async () => {
  const { environment, pass, comeBack } = createFakeEnvironment();
  let requests = 0;
  const request = async () => {
    requests += 1;
  };
  startPoll(30_000, request, environment);
  assert.equal(requests, 0);
  pass();
  await settled();
  comeBack();
  assert.equal(requests, 2);
});

test('a hidden page sends no request until it becomes visible again', async () => {
  const { environment, pass, hide, comeBack } = createFakeEnvironment();
  let requests = 0;
  startPoll(
    30_000,
    async () => {
      requests += 1;
    },
    environment,
  );
  hide();
  pass();
  pass();
  assert.equal(requests, 0);
  comeBack();
  await settled();
  pass();
  assert.equal(requests, 2);
});

test('no request is sent while one is pending', async () => {
  const { environment, pass } = createFakeEnvironment();
  const { promise, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  startPoll(30_000, () => (requests++ === 0 ? promise : Promise.resolve()), environment);
  pass();
  pass();
  assert.equal(requests, 1);
  resolve();
  await settled();
  pass();
  assert.equal(requests, 2);
});

test('a failed request does not end the poll, but stopping it does', async () => {
  const { environment, pass } = createFakeEnvironment();
  let requests = 0;
  const request = () => {
    requests += 1;
    return Promise.reject(new Error('no answer'));
  };
  const end = startPoll(30_000, request, environment);
  pass();
  await settled();
  pass();
  await settled();
  assert.equal(requests, 2);
  end();
  pass();
  assert.equal(requests, 2);
});
