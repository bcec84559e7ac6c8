import { type Answer, page } from '../responses.ts';
import type { World } from '../world.ts';

/** Something that goes wrong with calls that come next. */
export interface Fault {
  /** How many calls it befalls; 1 by default. */
  times?: number;
  /** How many calls that would fit pass before. */
  skip?: number;
  /** Only calls of this account, this method, and with this in their path. */
  account?: string;
  method?: string;
  path?: string;
  /** Answers so, in place of the real answer. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Answers with a page, as a proxy or an error screen does. */
  html?: boolean;
  /** Hangs up without an answer. */
  drop?: boolean;
  /** Waits first. */
  delay_ms?: number;
  /** The call does its work first, and only then the rest happens: done, but the caller does not know. */
  after_commit?: boolean;
}

/** The fault that befalls a call, if there is one; it is used up by that. */
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

/** Lets a call go through a fault; `undefined` when the connection shall be dropped. */
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
  const text = body ?? JSON.stringify({ error: { title: 'Fault', message: 'This error was asked for.' } });
  return { status: status ?? 200, headers: { ...type, ...headers }, body: text };
}
