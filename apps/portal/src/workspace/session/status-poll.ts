/** Tests pass their own browser functions. */
export interface PollEnvironment {
  /** Calls `tick` every `ms` until the returned function is called. */
  every(ms: number, tick: () => void): () => void;
  /** Calls `tick` whenever the page becomes visible, until the returned function is called. */
  onReturn(tick: () => void): () => void;
  isVisible(): boolean;
}

export function isPageVisible(): boolean {
  return document.visibilityState === 'visible';
}

const browserEnvironment: PollEnvironment = {
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
  onReturn(tick) {
    const onVisible = () => {
      if (isPageVisible()) tick();
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => document.removeEventListener('visibilitychange', onVisible);
  },
  isVisible: isPageVisible,
};

/**
 * Polls every `ms` while the page is visible, and immediately when it becomes visible again, but never twice at the same time.
 * The returned function stops it.
 */
export function startPoll(
  ms: number,
  poll: () => Promise<void>,
  environment: PollEnvironment = browserEnvironment,
): () => void {
  let isPolling = false;
  const tick = () => {
    if (isPolling || !environment.isVisible()) return;
    isPolling = true;
    void poll()
      .catch(() => undefined)
      .finally(() => {
        isPolling = false;
      });
  };
  const ends = [environment.every(ms, tick), environment.onReturn(tick)];
  return () => {
    for (const end of ends) end();
  };
}
