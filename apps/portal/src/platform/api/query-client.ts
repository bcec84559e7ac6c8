import { QueryClient } from '@tanstack/react-query';
import { registerCache } from '#platform/storage/cached-data.ts';
import { Failure, UNREACHABLE } from './failure.ts';

const RETRIES = 2;

/** Everything fetched, in memory only; cleared at sign-out. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      retry: (count, thrown) => count < RETRIES && isTransientError(thrown),
      retryDelay: getRetryDelay,
    },
    // Without a connection a change fails at once. A queued one would run unexpectedly when the connection is back.
    mutations: { retry: false, networkMode: 'always' },
  },
});

registerCache(() => {
  void queryClient.cancelQueries();
  queryClient.clear();
});

/**
 * Milliseconds before a retry: about one second before the first, and two before the second. They differ by up to half of that, so that open
 * portals don't all call again at once after an outage.
 */
export function getRetryDelay(failed: number): number {
  return 1_000 * 2 ** failed * (0.5 + Math.random());
}

/** Whether trying again may help: no answer came, or the server said that it is away for a moment. */
export function isTransientError(thrown: unknown): boolean {
  return thrown instanceof Failure && (thrown.id === UNREACHABLE || thrown.status_code === 503);
}
