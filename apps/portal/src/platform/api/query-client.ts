import { QueryClient } from '@tanstack/react-query';
import { registerCache } from '#platform/storage/cached-data.ts';
import { Failure, UNREACHABLE } from './failure.ts';

const RETRIES = 2;

/** Data is kept in memory only, and cleared at sign-out. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 5 * 60_000,
      retry: (count, thrown) => count < RETRIES && isTransientError(thrown),
      retryDelay: getRetryDelay,
    },
    // Without a connection a change fails immediately. A queued one would run unexpectedly when the connection is back.
    mutations: { retry: false, networkMode: 'always' },
  },
});

registerCache(() => {
  void queryClient.cancelQueries();
  queryClient.clear();
});

/**
 * Milliseconds before a retry: about one second before the first and two before the second. They vary by up to half, so that
 * open portals don't all call at the same time after an outage.
 */
export function getRetryDelay(failed: number): number {
  return 1_000 * 2 ** failed * (0.5 + Math.random());
}

/** A retry may help if there was no response, or if the server said that it is briefly unavailable. */
export function isTransientError(thrown: unknown): boolean {
  return thrown instanceof Failure && (thrown.id === UNREACHABLE || thrown.status_code === 503);
}
