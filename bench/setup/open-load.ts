import { setTimeout as delay } from 'node:timers/promises';
import { type Call, type Client, openClient } from './load.ts';

/** What callers saw whose visits arrive whether or not earlier ones were answered. */
export interface OpenLoad {
  /** Milliseconds from the time that a visit was due to its last answer: a wait behind slow calls counts. */
  times: number[];
  failures: number;
  /** Failed calls by status; 0 where there was no answer. */
  failed: ReadonlyMap<number, number>;
  /** Visits a second that were due, and that were answered within the time. */
  due: number;
  answered: number;
}

interface Arrivals {
  /** Visits a second on average, at random times like those of people who don't know of each other. */
  rate: number;
  seconds: number;
  /** Calls of the nth visit, one after another, and which connection they use. */
  visit: (nth: number) => { connection: number; calls: readonly Call[] };
}

/** How often visits that are due begin, in milliseconds. */
const TICK_MS = 2;
/** Time for the last answers, in milliseconds. */
const LAST_MS = 10_000;

/** Opens connections, before anything is measured. */
export async function openConnections(port: number, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const client = openClient(port);
    clients.push(client);
    // A burst would be refused by the queue of the listening socket.
    if (nth % 200 === 199) await delay(20);
  }
  return clients;
}

/**
 * Makes visits when they are due. A client that waits for each answer before the next call sends fewer of them when the server is slow, and
 * so measures it less often just then; here, the server gets every call, and each wait is counted from the time it was due.
 */
export async function openLoad(connections: readonly Client[], { rate, seconds, visit }: Arrivals): Promise<OpenLoad> {
  const times: number[] = [];
  const waiting: Promise<void>[] = [];
  // Visits on one connection wait for each other.
  const lines = new Map<number, Promise<void>>();
  const failed = new Map<number, number>();
  let failures = 0;
  let answered = 0;
  const from = performance.now();
  const until = from + seconds * 1_000;
  const send = async (nth: number, due: number) => {
    const { connection, calls } = visit(nth);
    const before = lines.get(connection);
    const work = (async () => {
      await before;
      for (const call of calls) {
        const status = (await connections[connection]?.send(call).catch(() => undefined))?.status ?? 0;
        if (status === 200) continue;
        failures += 1;
        failed.set(status, (failed.get(status) ?? 0) + 1);
      }
      const now = performance.now();
      if (now <= until) answered += 1;
      times.push(now - due);
    })();
    lines.set(connection, work);
    await work;
  };
  let due = from;
  let nth = 0;
  while (performance.now() < until) {
    for (; due <= performance.now(); due += (-Math.log(1 - Math.random()) * 1_000) / rate) {
      waiting.push(send(nth, due));
      nth += 1;
    }
    await delay(TICK_MS);
  }
  await Promise.race([Promise.all(waiting), delay(LAST_MS)]);
  // What was never answered is a failure.
  return { times, failed, failures: failures + nth - times.length, due: nth / seconds, answered: answered / seconds };
}
