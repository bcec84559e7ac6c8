import type { Failure } from './failure.ts';

const WAITS_MS = [500, 1_000, 2_000];
/** Longest wait for a limit to end. Those of expensive calls last a minute. */
const LIMIT_MS = 60_000;

/**
 * Repeats an attempt that did not reach the server or hit a transient error, so that a short network failure doesn't end a long
 * upload. A refusal is thrown immediately, and the signal ends the waiting.
 */
export async function withRetry<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (const wait of WAITS_MS) {
    try {
      return await attempt();
    } catch (thrown) {
      if (signal.aborted || !isTransientError(thrown)) throw thrown;
      await pause(getWait(thrown, wait), signal);
    }
  }
  return await attempt();
}

/** A limit says when it ends. An earlier attempt would be refused again. */
function getWait(thrown: unknown, wait: number): number {
  const { status_code, retry_after = 0 } = thrown as Partial<Failure>;
  return status_code === 429 ? Math.max(wait, Math.min(retry_after * 1_000, LIMIT_MS)) : wait;
}

function isTransientError(thrown: unknown): boolean {
  return [0, 429, 502, 503, 504].includes((thrown as Partial<Failure>).status_code ?? -1);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
