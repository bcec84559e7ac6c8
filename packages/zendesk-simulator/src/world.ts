import { createHash, randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type Clock, type ClockOptions, createClock } from './accounts/clock.ts';
import type { Fault } from './accounts/faults.ts';
import type { Account } from './model.ts';

export interface LoggedRequest {
  at: number;
  account: string;
  method: string;
  /** Without the account's prefix and the query: `/api/v2/webhooks`. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
  /** The response; undefined before it is sent, or if the connection was dropped. */
  status?: number;
}

export interface WorldOptions extends ClockOptions {
  /** Seed for reproducible ids and secrets. */
  seed?: string;
}

/** State shared by all accounts of a simulator. */
export interface World {
  clock: Clock;
  accounts: Map<string, Account>;
  requests: LoggedRequest[];
  faults: Fault[];
  /** Aborted when the simulator stops, which cancels requests in progress. */
  ended: AbortSignal;
  /** Base URL, without a trailing slash. */
  origin: string;
  random(bytes: number): Buffer;
  ulid(): string;
  /** The next numeric id. */
  number(): number;
  /** Tracks work in progress, so that its end can be awaited. */
  work<T>(job: () => Promise<T>): Promise<T>;
  /** Waits by the simulated clock, not counted as work. Returns false if the simulator was stopped first. */
  sleep(ms: number): Promise<boolean>;
  /** Waits until nothing is being sent: deliveries are done, or wait for the clock. */
  settled(): Promise<void>;
  /** Advances the clock past every wait until all deliveries are done. */
  finished(): Promise<void>;
  stop(): void;
}

/** Timeout of `settled`, in real time; only a failing test waits that long. */
const PATIENCE_MS = 8_000;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Zendesk's ids exceed 2^31, which breaks clients that use 32-bit integers. */
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
