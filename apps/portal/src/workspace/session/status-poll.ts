/** What a poll needs from the world; tests hand in their own. */
export interface PollEnvironment {
  /** Calls `tick` every `ms` until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
  /** Calls `tick` whenever the page comes back into view, until the returned function is called. */
  onReturn(tick: () => void): () => void;
}

const browserEnvironment: PollEnvironment = {
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  onReturn(tick) {
    const seen = () => {
      if (document.visibilityState === 'visible') tick();
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  },
};

/**
 * Asks every `ms`, in hidden tabs too, and at once when the page is looked at again; never twice at the same time.
 * Answers the function that ends it.
 */
export function startPoll(
  ms: number,
  ask: () => Promise<void>,
  world: PollEnvironment = browserEnvironment,
): () => void {
  let asking = false;
  const tick = () => {
    if (asking) return;
    asking = true;
    void ask()
      .catch(() => undefined)
      .finally(() => {
        asking = false;
      });
  };
  const ends = [world.every(ms, tick), world.onReturn(tick)];
  return () => {
    for (const end of ends) end();
  };
}
