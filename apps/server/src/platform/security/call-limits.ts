import { COSTS, type CostKind } from '@steward/contract/api/costs';
import type { AnyEndpoint } from '@steward/contract/api/endpoint';
import { refuse } from '#platform/http/errors.ts';

export interface Caller {
  userId: string;
  teamId: string;
}

/** Limits of expensive calls, as `costs` of an endpoint. */
export interface CallLimits {
  /** Refuses a call beyond the limit of a kind. */
  count(definition: AnyEndpoint, call: { query: unknown; body: unknown }, caller: Caller): void;
}

const MINUTE_MS = 60_000;
const TOO_MANY = 'Too many requests. Try again in a minute.';

/**
 * Counts in memory, for this process alone, because a count in the database would cost more than many of the calls. All counters
 * are cleared every minute, so none remains of inactive users.
 */
export function createCallLimits(now: () => number = () => performance.now()): CallLimits {
  const counts = new Map<string, number>();
  let endsAt = Number.NEGATIVE_INFINITY;

  function spend(kind: CostKind, { userId, teamId }: Caller): void {
    const time = now();
    if (time >= endsAt) {
      counts.clear();
      endsAt = time + MINUTE_MS;
    }
    const key = `${kind} ${userId} ${teamId}`;
    const count = (counts.get(key) ?? 0) + 1;
    if (count > COSTS[kind]) refuse('rate.limited', TOO_MANY, Math.ceil((endsAt - time) / 1_000));
    counts.set(key, count);
  }

  return {
    count({ costs = [] }, call, caller) {
      for (const { kind, when } of costs) if (when?.(call) ?? true) spend(kind, caller);
    },
  };
}

/** No limits, for measuring. */
export const NO_CALL_LIMITS: CallLimits = { count: () => undefined };
