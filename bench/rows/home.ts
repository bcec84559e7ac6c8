import type { Bench } from '../bench.ts';
import { openClient } from '../setup/load.ts';
import { signIn, startServer } from '../setup/server.ts';
import { boundFigure, type Figure, median, timed } from '../setup/statistics.ts';

const CARDS = ['people', 'sign_in', 'storage', 'retention', 'integrations'];

/** The lists that numbers lead to. */
const LISTS: Readonly<Record<string, string>> = {
  'active in 7 days': 'primary_owner=1&workspace_admin=1&member=1&active_days=7&sort=last_active&order=desc',
  'active in 30 days': 'primary_owner=1&workspace_admin=1&member=1&active_days=30&sort=last_active&order=desc',
  'never signed in': 'primary_owner=1&workspace_admin=1&member=1&never_active=1',
  'inactive for 90 days': 'primary_owner=1&workspace_admin=1&member=1&inactive_days=90',
  'admins without a second factor': 'primary_owner=1&workspace_admin=1&without_second_factor=1',
  'invited over 14 days ago': 'pending=1&invited_days=14',
};

/**
 * Measures each card of Home and the lists behind its numbers, as an admin sees them who opens Home again. Nine of ten users have
 * an authenticator app, and the last activity of members is spread over 200 days.
 */
export async function home({ database, small, rounds }: Bench): Promise<Figure[]> {
  await database.pool.query(`insert into totp_factors (person_id, secret, confirmed_at)
    select id, '', now() from people where abs(hashtext(id)) % 10 <> 3 and email not like '%@bench.steward.example'
    on conflict do nothing`);
  await database.pool.query(
    `update memberships set last_active_at = extract(epoch from now()) * 1000 - (abs(hashtext(person_id)) % 200)::bigint * 86400000
      where team_id = $1 and last_active_at is not null`,
    [small.id],
  );
  await database.pool.query('vacuum (analyze) memberships, messages, people, totp_factors');
  await using server = await startServer(database);
  const cookie = await signIn(server, small);
  const client = openClient(server.port);
  const figures: Figure[] = [];
  const measure = async (what: string, path: string, max = 50) => {
    const ask = () => timed(() => client.json({ path: `/api/v4/admin/teams/${small.id}/${path}`, cookie }));
    // The first call on each connection reads the catalogs.
    await ask();
    const times: number[] = [];
    for (let round = 0; round < rounds * 3; round += 1) times.push(await ask());
    figures.push(boundFigure(what, median(times), { max, unit: 'ms' }));
  };
  for (const card of CARDS) await measure(`home-${card}`, `summary/${card}`);
  for (const [name, query] of Object.entries(LISTS)) await measure(`home-list, ${name}`, `users?${query}`);
  // Nearly everyone has a factor, so that the list reads many members to find a page of those who have none.
  await measure('home-list, members without a second factor', 'users?without_second_factor=1', 600);
  client.close();
  // Other rows sign in without a code.
  await database.pool.query(`delete from totp_factors where secret = ''`);
  return figures;
}
