import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { SENT_IDS } from '../content/send-content.ts';
import type { BenchDatabase, Team } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import type { Server } from '../setup/processes.ts';
import { REACHED } from './reach.ts';

/** Durations of other work while messages are deleted, in milliseconds. */
export interface ProbeTimes {
  lists: number[];
  /** Changes of the messages that are deleted next, and new messages of the team. */
  changes: number[];
  additions: number[];
}

export interface Watch {
  server: Server;
  database: BenchDatabase;
  team: Team;
  cookie: string;
  cutoff: number;
}

const EVERY_MS = 20;

/** Reads lists and writes messages at a steady rate while some work runs. */
export async function withProbes<T>(watch: Watch, work: () => Promise<T>): Promise<{ result: T; seen: ProbeTimes }> {
  const over = { is: false };
  const seen: ProbeTimes = { lists: [], changes: [], additions: [] };
  const others = Promise.all([reading(watch, over, seen), writing(watch, over, seen)]);
  // Thrown where it is awaited.
  others.catch(() => undefined);
  try {
    return { result: await work(), seen };
  } finally {
    over.is = true;
    await others;
  }
}

async function reading({ server, team, cookie }: Watch, over: { is: boolean }, { lists }: ProbeTimes): Promise<void> {
  const client = openClient(server.port);
  const path = `/api/v4/admin/teams/${team.id}/users`;
  try {
    for (let due = performance.now(); !over.is; due += EVERY_MS) {
      const wait = due - performance.now();
      if (wait > 0) await delay(wait);
      // A call delayed by the one before counts from when it was due.
      const from = wait > 0 ? performance.now() : due;
      const { status } = await client.send({ path, cookie });
      lists.push(performance.now() - from);
      if (status !== 200) throw new Error(`A list call answered ${status}.`);
    }
  } finally {
    client.close();
  }
}

const ADD = `insert into messages (team_id, id, channel_id, channel_type, external_id, text, size, create_at, update_at)
  select $1, $2, id, type, $3, 'A new message', 13, $4, $4 from channels where team_id = $1 and name = 'general'`;
const NEXT = `select id, create_at from messages where ${REACHED} and create_at >= $3 order by create_at, id limit 1`;
const CHANGE = 'update messages set update_at = update_at where team_id = $1 and id = $2';

async function writing({ database, team, cutoff }: Watch, over: { is: boolean }, seen: ProbeTimes): Promise<void> {
  const connection = await database.pool.connect();
  // A single DELETE makes others wait longer than the server allows.
  await connection.query('set lock_timeout = 0');
  const since = async (times: number[], work: () => Promise<unknown>) => {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  };
  let oldest = 0;
  try {
    while (!over.is) {
      // The oldest visible one is in the batch being deleted: the longest wait.
      const { rows } = await connection.query(NEXT, [team.id, cutoff, oldest]);
      const next = rows[0];
      if (next) {
        oldest = next.create_at;
        await since(seen.changes, () => connection.query(CHANGE, [team.id, next.id]));
      }
      const id = newId();
      await since(seen.additions, () => connection.query(ADD, [team.id, id, SENT_IDS + id, Date.now()]));
      await delay(EVERY_MS);
    }
  } finally {
    await connection.query('reset lock_timeout');
    connection.release();
  }
}
