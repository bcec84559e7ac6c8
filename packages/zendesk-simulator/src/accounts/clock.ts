/** The simulator's time, for token lifetimes, rate limits, timeouts and retries. Tests can stop, accelerate and advance it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls `ring` once after `ms`; returns a function that cancels it. */
  after(ms: number, ring: () => void): () => void;
  /** Advances the time and fires the timers that become due, earliest first. */
  advance(ms: number): void;
  /** Cancels all timers. */
  stop(): void;
}

export interface ClockOptions {
  /** Simulated milliseconds per real one: 1 is real time; 0 stops the clock, so that only `advance` moves it. */
  speed?: number;
  /** Start time; now by default. */
  start?: number;
}

interface Alarm {
  due: number;
  ring: () => void;
}

export function createClock({ speed = 1, start = Date.now() }: ClockOptions = {}): Clock {
  const begun = performance.now();
  const alarms = new Set<Alarm>();
  let pushed = 0;
  let timer: NodeJS.Timeout | undefined;
  const now = () => Math.floor(start + pushed + (performance.now() - begun) * speed);
  const earliest = () => [...alarms].reduce<Alarm | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined);

  function ringDue(until: number): void {
    for (let next = earliest(); next && next.due <= until; next = earliest()) {
      alarms.delete(next);
      pushed += Math.max(0, next.due - now());
      next.ring();
    }
  }
  function wind(): void {
    clearTimeout(timer);
    const next = earliest();
    if (!next || speed === 0) return;
    timer = setTimeout(
      () => {
        ringDue(now());
        wind();
      },
      Math.max(0, Math.ceil((next.due - now()) / speed)),
    );
  }
  return {
    now,
    after(ms, ring) {
      const alarm = { due: now() + ms, ring };
      alarms.add(alarm);
      wind();
      return () => void (alarms.delete(alarm) && wind());
    },
    advance(ms) {
      const until = now() + ms;
      ringDue(until);
      pushed += Math.max(0, until - now());
      wind();
    },
    stop() {
      clearTimeout(timer);
      alarms.clear();
    },
  };
}
