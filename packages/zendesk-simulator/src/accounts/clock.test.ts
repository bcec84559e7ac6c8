import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createClock } from './clock.ts';

test('a stopped clock is advanced manually and fires timers in order, each at its own time', () => {
  const clock = createClock({ speed: 0, start: 1_000 });
  const rung: [string, number][] = [];
  clock.after(50, () => rung.push(['late', clock.now()]));
  clock.after(10, () => {
    rung.push(['early', clock.now()]);
    clock.after(5, () => rung.push(['between', clock.now()]));
  });
  clock.advance(49);
  assert.deepEqual(rung, [
    ['early', 1_010],
    ['between', 1_015],
  ]);
  clock.advance(1);
  assert.deepEqual(rung.at(-1), ['late', 1_050]);
});

test("canceled timers don't fire, and neither does a closed clock", () => {
  const clock = createClock({ speed: 0 });
  let rung = 0;
  const callOff = clock.after(10, () => (rung += 1));
  clock.after(10, () => (rung += 1));
  callOff();
  clock.advance(10);
  assert.equal(rung, 1);
  clock.after(10, () => (rung += 1));
  clock.stop();
  clock.advance(10);
  assert.equal(rung, 1);
});

test('an accelerated clock fires automatically', async () => {
  const clock = createClock({ speed: 100_000, start: 0 });
  await new Promise<void>((resolve) => void clock.after(60_000, resolve));
  assert.ok(clock.now() >= 60_000);
  clock.stop();
});
