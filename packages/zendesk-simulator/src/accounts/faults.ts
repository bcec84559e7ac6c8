import { type Answer, page } from '../responses.ts';
import type { World } from '../world.ts';

/** A fault injected into the next matching calls. */
export interface Fault {
  /** Number of affected calls; 1 by default. */
  times?: number;
  /** Number of matching calls to let through first. */
  skip?: number;
  /** Matches calls of this account and method whose path contains this text. */
  account?: string;
  method?: string;
  path?: string;
  /** Replaces the response. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Responds with HTML, like a proxy or an error page. */
  html?: boolean;
  /** Closes the connection without a response. */
  drop?: boolean;
  delay_ms?: number;
  /** The call is processed before the fault occurs, so the caller doesn't know the outcome. */
  after_commit?: boolean;
}

export function takeFault(world: World, call: { account: string; method: string; path: string }): Fault | undefined {
  const fault = world.faults.find(
    (each) =>
      (each.account ?? call.account) === call.account &&
      (each.method ?? call.method) === call.method &&
      call.path.includes(each.path ?? ''),
  );
  if (!fault) return undefined;
  if (fault.skip) {
    fault.skip -= 1;
    return undefined;
  }
  fault.times = (fault.times ?? 1) - 1;
  if (fault.times <= 0) world.faults.splice(world.faults.indexOf(fault), 1);
  return fault;
}

/** Applies a fault to a call; undefined to drop the connection. */
export async function applyFault(
  fault: Fault | undefined,
  world: World,
  work: () => Promise<Answer>,
): Promise<Answer | undefined> {
  if (!fault) return work();
  const { delay_ms, after_commit, drop } = fault;
  const done = after_commit ? await work() : undefined;
  if (delay_ms !== undefined) await new Promise<void>((resolve) => void world.clock.after(delay_ms, resolve));
  if (drop) return undefined;
  return spoilt(fault) ?? done ?? work();
}

function spoilt({ status, html, body, headers }: Fault): Answer | undefined {
  if (html) return { ...page(status ?? 502, 'Something went wrong'), ...(body !== undefined && { body }) };
  if (status === undefined && body === undefined) return undefined;
  const type = { 'content-type': 'application/json; charset=utf-8' };
  const text = body ?? JSON.stringify({ error: { title: 'Fault', message: 'This error was injected.' } });
  return { status: status ?? 200, headers: { ...type, ...headers }, body: text };
}
