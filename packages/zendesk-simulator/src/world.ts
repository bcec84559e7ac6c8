import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type Clock, type ClockOptions, createClock } from './accounts/clock.ts';
import type { Fault } from './accounts/faults.ts';
import type { Account } from './model.ts';

/** A call that came in, as it came. */
export interface LoggedRequest {
  at: number;
  account: string;
  method: string;
  /** Without the account's prefix and the query: `/api/v2/webhooks`. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
  /** What was answered; none when the connection was dropped, or before the answer. */
  status?: number;
}

export interface WorldOptions extends ClockOptions {
  /** Makes every id and secret the same in every run. */
  seed?: string;
}

/** What all accounts of one simulator share. */
export interface World {
  clock: Clock;
  accounts: Map<string, Account>;
  requests: LoggedRequest[];
  faults: Fault[];
  /** Aborted when the simulator stops: what is being sent is given up. */
  ended: AbortSignal;
  /** Where it listens, without a slash at the end. */
  origin: string;
  random(bytes: number): Buffer;
  ulid(): string;
  /** The next whole number for ids that are numbers. */
  number(): number;
  /** Counts work that is going on, so that its end can be awaited. */
  work<T>(job: () => Promise<T>): Promise<T>;
  /** Waits by the clock; such waiting is no work. Tells whether the time came, rather than the end of the simulator. */
  sleep(ms: number): Promise<boolean>;
  /** Ends when nothing is being sent: deliveries are done, or wait for the clock. */
  settled(): Promise<void>;
  /** Pushes the clock over every wait until all deliveries are done. */
  finished(): Promise<void>;
  stop(): void;
}

/** Longest, in real time, that sending may take before `settled` gives up; only a failing test waits so long. */
const PATIENCE_MS = 8_000;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Ids of the vendor are beyond 2^31, which is what readers with small numbers stumble over. */
const FIRST_NUMBER = 6_164_111_060_001;

export function createWorld(options: WorldOptions): World {
  const clock = createClock(options);
  const random = createRandomBytes(options.seed);
  const ended = new AbortController();
  const work = createWork(clock);
  let number = FIRST_NUMBER;
  return {
    clock,
    accounts: new Map(),
    requests: [],
    faults: [],
    ended: ended.signal,
    origin: '',
    random,
    ulid: () => ulid(clock.now(), random(16)),
    number: () => {
      number += 20;
      return number;
    },
    ...work,
    stop() {
      ended.abort();
      work.stop();
    },
  };
}

function createWork(clock: Clock): Pick<World, 'work' | 'sleep' | 'settled' | 'finished' | 'stop'> {
  const events = new EventEmitter().setMaxListeners(0);
  const asleep = new Map<(came: boolean) => void, number>();
  let busy = 0;
  let stopped = false;
  const leave = () => {
    busy -= 1;
    if (busy === 0) events.emit('settled');
  };
  const settled = async () => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (busy > 0) {
      await once(events, 'settled', { signal }).catch(() => {
        throw new Error(`something is still being sent after ${PATIENCE_MS / 1_000} s`);
      });
    }
  };
  return {
    async work(job) {
      busy += 1;
      try {
        return await job();
      } finally {
        leave();
      }
    },
    sleep: (ms) =>
      new Promise((resolve) => {
        if (stopped) return resolve(false);
        const wake = (came: boolean) => {
          asleep.delete(wake);
          busy += 1;
          resolve(came);
        };
        asleep.set(wake, clock.now() + ms);
        clock.after(ms, () => wake(true));
        leave();
      }),
    settled,
    async finished() {
      for (await settled(); asleep.size > 0; await settled()) {
        clock.advance(Math.max(0, Math.min(...asleep.values()) - clock.now()));
      }
    },
    stop() {
      stopped = true;
      clock.stop();
      for (const wake of [...asleep.keys()]) wake(false);
    },
  };
}

function createRandomBytes(seed: string | undefined): (bytes: number) => Buffer {
  if (seed === undefined) return randomBytes;
  let count = 0;
  return (bytes) => {
    count += 1;
    return createHash('sha512').update(`${seed} ${count}`).digest().subarray(0, bytes);
  };
}

function ulid(now: number, random: Buffer): string {
  let id = '';
  for (let rest = now, at = 0; at < 10; at += 1, rest = Math.floor(rest / 32)) id = `${CROCKFORD[rest % 32]}${id}`;
  for (const byte of random) id += CROCKFORD[byte % 32];
  return id;
}
