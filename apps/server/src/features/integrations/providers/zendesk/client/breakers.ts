import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';

/** After so many failures in a row a help desk is left alone for so long, in milliseconds; then one call tries it again. */
const FAILURES = 6;
const REST_MS = 30_000;
/** Help desks that are remembered. */
const MOST = 1_000;

type Breaker = ReturnType<typeof makeBreaker>;
const breakers = new Map<string, Breaker>();

/**
 * Spares a help desk that is down, and those who would wait for it: each account has a breaker of its own in this process,
 * so that the account of one team says nothing about that of another (trust F13).
 */
export function getBreaker(account: string): Breaker {
  const breaker = breakers.get(account) ?? makeBreaker();
  // The one that was used last is the last to be forgotten.
  breakers.delete(account);
  breakers.set(account, breaker);
  for (const [name, { state }] of breakers) {
    if (breakers.size <= MOST) break;
    if (state === CircuitState.Closed) breakers.delete(name);
  }
  return breaker;
}

function makeBreaker() {
  const failed = handleWhen(() => true).orWhenResult((answer) => (answer as { status: number }).status >= 500);
  return circuitBreaker(failed, { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAILURES) });
}
