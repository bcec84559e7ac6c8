import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';

/** After this many consecutive failures the circuit stays open for `REST_MS`; then one call is let through. */
const FAILURES = 6;
const REST_MS = 30_000;
const MAX_BREAKERS = 1_000;

type Breaker = ReturnType<typeof createBreaker>;
const breakers = new Map<string, Breaker>();

/**
 * The circuit breaker of an account, so that requests to a help desk that is down fail fast. Each account has its own, so one
 * team's outage doesn't affect another. Per process.
 */
export function getBreaker(account: string): Breaker {
  const breaker = breakers.get(account) ?? createBreaker();
  // Least recently used first.
  breakers.delete(account);
  breakers.set(account, breaker);
  for (const [name, { state }] of breakers) {
    if (breakers.size <= MAX_BREAKERS) break;
    if (state === CircuitState.Closed) breakers.delete(name);
  }
  return breaker;
}

function createBreaker() {
  const failed = handleWhen(() => true).orWhenResult((answer) => (answer as { status: number }).status >= 500);
  return circuitBreaker(failed, { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES) });
}
