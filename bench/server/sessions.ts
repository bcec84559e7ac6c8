import { newId } from '@steward/server/src/platform/database/ids.ts';
import { hashToken, newToken } from '@steward/server/src/platform/security/secrets.ts';
import type { Call } from '../setup/load.ts';
import { openConnections, openLoad } from '../setup/open-load.ts';
import { signIn, vitals } from '../setup/processes.ts';
import { canReadProcessorTime, ofPostgres, ofProcess } from '../setup/processor-time.ts';
import { type Row, short } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { percentile } from '../setup/statistics.ts';
import { attack, hasVegeta } from '../setup/vegeta.ts';

/** The portal asks for the online status this often, in seconds. */
const POLL_SECONDS = 30;
/** Each so many-th visit is a page of the user list instead. */
const LIST_EVERY = 20;
const STEPS = [2_000, 5_000, 10_000, 20_000];
const SECONDS = 30;
/** A visit that takes longer at the 99th percentile means that the node is full, in milliseconds. */
const FULL_MS = 500;

/** Shared by the sessions, as behind a proxy. */
const CONNECTIONS = 1_000;

/** Signed-in people with the portal open: polls and, now and then, a list. All rows are open-loop. */
export async function liveSessions(bench: Bench): Promise<Row[]> {
  const { options, team, server } = bench;
  const wanted = options.sessions ?? (options.isQuick ? STEPS.slice(0, 1) : STEPS);
  const steps = wanted.filter((count) => count <= team.people);
  if (steps.length === 0) throw new Error('There are more sessions than people.');
  const owner = await signIn(server, team);
  const sessions = await addSessions(bench, steps.at(-1) ?? 0);
  const rows: Row[] = [];
  const isChecked = await hasVegeta();
  for (const count of steps) {
    const step = { owner, sessions: sessions.slice(0, count) };
    rows.push(await measure(bench, step));
    if (isChecked) rows.push(await measureWithVegeta(bench, step));
  }
  if (!isChecked) process.stderr.write('Skipped: the same load by vegeta, which is not installed.\n');
  const people = sessions.map(({ personId }) => personId);
  await bench.database.pool.query('delete from sessions where person_id = any($1)', [people]);
  return rows;
}

interface Step {
  owner: string;
  sessions: readonly { personId: string; cookie: string }[];
}

async function measure({ options, team, server, database }: Bench, { owner, sessions }: Step): Promise<Row> {
  const count = sessions.length;
  const list: Call = { path: `/api/v4/admin/teams/${team.id}/users`, cookie: owner };
  const connections = await openConnections(server.port, CONNECTIONS);
  const readTimes = processorTimes(server, database);
  const before = readTimes();
  const { times, failures, failed, due, answered } = await openLoad(connections, {
    rate: (count / POLL_SECONDS) * (LIST_EVERY / (LIST_EVERY - 1)),
    seconds: options.isQuick ? 10 : SECONDS,
    visit(nth) {
      const connection = nth % CONNECTIONS;
      if (nth % LIST_EVERY === LIST_EVERY - 1) return { connection, calls: [list] };
      const { personId, cookie } = sessions[nth % count] ?? { personId: '', cookie: '' };
      return { connection, calls: poll(personId, cookie) };
    },
  });
  const after = readTimes();
  for (const client of connections) client.close();
  const { residentMiB } = await vitals(server);
  const p99 = percentile(times, 99);
  const rates = `${short(due)} visits/s due, ${short(answered)} answered in time`;
  const each = (nth: number) => `${short(((after[nth] ?? 0) - (before[nth] ?? 0)) / times.length)} ms`;
  const work =
    after.length === 0 ? '' : `, ${each(0)} of the server's processor time a visit, ${each(1)} of PostgreSQL's`;
  return {
    row: `open-loop: ${short(count)} live sessions, p99 of a visit from the time it is due`,
    ours: `${short(p99)} ms`,
    limit: `${rates}, ${failures} failures${describeFailed(failed)}, p50 ${short(percentile(times, 50))} ms, ${short(residentMiB)} MiB${work}`,
    target: `≤ ${FULL_MS} ms, no failure`,
    isMet: p99 <= FULL_MS && failures === 0,
  };
}

/** The same calls at the same rate by a generator that isn't ours, evenly and independent of each other. */
async function measureWithVegeta({ options, server }: Bench, { sessions }: Step): Promise<Row> {
  const calls = sessions.flatMap(({ personId, cookie }) => poll(personId, cookie));
  const load = { rate: calls.length / POLL_SECONDS, seconds: options.isQuick ? 10 : SECONDS };
  const { p50, p99, failures, failed } = await attack(server.port, calls, load);
  return {
    row: `open-loop, vegeta: the calls of ${short(sessions.length)} live sessions, p99 of a call`,
    ours: `${short(p99)} ms`,
    limit: `${short(load.rate)} calls/s, ${failures} failures${describeFailed(failed)}, p50 ${short(p50)} ms`,
    target: `≤ ${FULL_MS} ms, no failure`,
    isMet: p99 <= FULL_MS && failures === 0,
  };
}

/** Reads the processor time of the server and of an embedded PostgreSQL; nothing where the system or the database doesn't tell. */
function processorTimes({ pid }: Bench['server'], { dataDir }: Bench['database']): () => number[] {
  const parts = dataDir === undefined || !canReadProcessorTime ? [] : [ofProcess(pid), ofPostgres(dataDir)];
  return () => parts.map((read) => read());
}

/** How calls failed: ` (503: 20, no answer: 5)`. */
function describeFailed(failed: ReadonlyMap<number, number>): string {
  const kinds = [...failed].map(([status, count]) => `${status === 0 ? 'no answer' : status}: ${short(count)}`);
  return kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
}

/** What an open portal sends while no membership changes. */
function poll(personId: string, cookie: string): Call[] {
  return [{ path: '/api/v4/users/status/ids', method: 'POST', body: [personId], cookie }];
}

/** A session for each of the first members of the team. */
async function addSessions({ database, team }: Bench, count: number): Promise<Step['sessions']> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select p.id from memberships m join people p on p.id = m.person_id
     where m.team_id = $1 and not m.deactivated and m.roles = '{team_user}' order by p.id limit $2`,
    [team.id, count],
  );
  const sessions = rows.map(({ id }) => ({ id: newId(), personId: id, token: newToken() }));
  await database.pool.query(
    'insert into sessions (id, person_id, token_hash) select * from unnest($1::text[], $2::text[], $3::text[])',
    [
      sessions.map(({ id }) => id),
      sessions.map(({ personId }) => personId),
      sessions.map(({ token }) => hashToken(token)),
    ],
  );
  return sessions.map(({ personId, token }) => ({
    personId,
    cookie: `steward_token=${token}; steward_user=${personId}`,
  }));
}
