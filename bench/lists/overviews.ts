import type { BenchDatabase, Team } from '../setup/database.ts';
import { openClient } from '../setup/load.ts';
import { signIn } from '../setup/processes.ts';
import { boundRow, type Row } from '../setup/report.ts';
import type { Bench } from '../setup/setup.ts';
import { medianTime } from '../setup/statistics.ts';

const EVENTS = 1_000_000;
const TIMES = 30;
const PAGE_MS = 50;

/** Home and the audit log of a large team. */
export async function overviews(bench: Bench): Promise<Row[]> {
  const { database, team, server } = bench;
  await fillAuditLog(database, team);
  const cookie = await signIn(server, team);
  const client = openClient(server.port);
  const base = `/api/v4/admin/teams/${team.id}`;
  const measureTime = (path: string) =>
    medianTime(TIMES, async () => {
      const { status, body } = await client.send({ path: `${base}/${path}`, cookie });
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${body}`);
    });
  const log = (query: string) => measureTime(`audit_log${query}`);
  const row = async (name: string, time: Promise<number>) =>
    boundRow(`${name}, with ${team.people} people and ${EVENTS} changes`, await time, { max: PAGE_MS, unit: 'ms' });
  const rows = [
    await row('home: what needs attention', measureTime('attention')),
    await row('audit log, first page', log('')),
    await row('audit log, a day long ago', log(`?to=${Date.now() - 300 * 86_400_000}`)),
    await row('audit log, one action', log('?action=users.edited')),
    await row('audit log, entries without a person', log('?actor=none')),
  ];
  client.close();
  return rows;
}

/** Changes of two years, one every minute, of several kinds. */
async function fillAuditLog({ pool }: BenchDatabase, { id }: Team): Promise<void> {
  const { rows } = await pool.query('select count(*)::int as count from audit_events where team_id = $1', [id]);
  if (rows[0].count >= EVENTS) return;
  const kinds = `(array['users.edited','directory.edited','retention.ran','content.added'])[1 + n % 4]`;
  await pool.query(
    `insert into audit_events (team_id, id, at, actor_id, action, target, details, address, request_id)
     select $1, lpad(n::text, 26, '0'), now() - make_interval(mins => n), case when n % 3 > 0 then $1 end, ${kinds}, $1,
       '{"before":{"first_name":"Ada"},"after":{"first_name":"Grace"}}', '203.0.113.7', 'bench'
     from generate_series(1, ${EVENTS}) as n`,
    [id],
  );
  await pool.query('vacuum analyze audit_events');
}
