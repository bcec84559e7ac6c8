import type { Answer, AnyEndpoint, Received } from '@steward/contract/api/endpoint';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BoundStatement } from '#platform/database/statements/statement.ts';
import type { WithJsonRows } from './answers/json-rows.ts';
import { type Call, type Guard, serve } from './http.ts';

/** What a call reads, if its guard lets it through. */
interface EarlyRead {
  statement: BoundStatement<unknown>;
  /** Its rows, where the guard has read them together with the session. */
  rows: unknown[] | undefined;
  /** As the list planned it. */
  plan: unknown;
  /** Of what the request contains. */
  received: { params: unknown; query: unknown };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the guard may read together with the session; null for most calls. */
    early: EarlyRead | null;
  }
}

/** A page that a call asks for. */
export interface ListPlan {
  /** What reads the page, if one statement does that whose text never changes. */
  usual: BoundStatement<unknown> | undefined;
}

type Rows<Plan extends ListPlan> = NonNullable<Plan['usual']> extends BoundStatement<infer Row> ? Row[] : never;

/** How a list is read. */
export interface List<E extends AnyEndpoint, Who, Plan extends ListPlan> {
  /** What to read; it reads nothing yet, and refuses what the request may not contain. */
  plan(received: Pick<Received<E>, 'params' | 'query'>): Plan;
  /** Reads the page, unless its rows have been read already. */
  answer(call: Call<E, Who>, plan: Plan, rows: Rows<Plan> | undefined): Promise<Answer<E> | WithJsonRows<Answer<E>>>;
}

/**
 * Serves a list as `serve` does, but its guard may read a usual page together with the session of the caller: one packet to the
 * database instead of two. Nothing of the page is used before the guard has let the call through, and errors keep their order.
 */
// biome-ignore lint/complexity/useMaxParams: a route reads as one sentence, as with `serve`
export function serveList<E extends AnyEndpoint, Who, Plan extends ListPlan>(
  app: FastifyInstance,
  definition: E,
  guard: Guard<Who>,
  list: List<E, Who, Plan>,
): void {
  const planning: Guard<Who> = (request) => {
    request.early = planEarlyRead(request, definition, list);
    return guard(request);
  };
  serve(app, definition, planning, (call: Call<E, Who>) => {
    const { early } = call.request;
    const plan = (early?.plan as Plan | undefined) ?? list.plan(call);
    return list.answer(call, plan, early?.rows as Rows<Plan> | undefined);
  });
}

function planEarlyRead<E extends AnyEndpoint, Who, Plan extends ListPlan>(
  request: FastifyRequest,
  { params, query }: E,
  list: List<E, Who, Plan>,
): EarlyRead | null {
  try {
    const received = { params: params?.parse(request.params), query: query?.parse(request.query) };
    const plan = list.plan(received as never);
    return plan.usual ? { statement: plan.usual, rows: undefined, plan, received } : null;
  } catch {
    // The call is refused, once it is known whether the caller may know why.
    return null;
  }
}
