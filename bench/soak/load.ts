import { setTimeout as pause } from 'node:timers/promises';
import { createSecrets } from '@steward/server/src/platform/security/secrets.ts';
import { findGeneralChannel } from '@steward/server/testing/workspace/content.ts';
import { delivery, recreateHelpdesk, type TestHelpdesk } from '@steward/server/testing/workspace/integrations.ts';
import { newRows, upload } from '../directory/upload.ts';
import { type BenchDatabase, getTeam, type Team } from '../setup/database.ts';
import { type Call, type Client, openClient } from '../setup/load.ts';
import { type Server, signIn } from '../setup/processes.ts';

/** What a mixed load has done so far. */
export interface Done {
  calls: Record<string, number>;
  /** What failed, and how often. */
  failures: Map<string, number>;
}

/** One kind of user: what it does each time, and how long it waits before the next. */
interface Workload {
  name: string;
  everyMs: number;
  act(client: Client, nth: number): Promise<unknown>;
}

const TEXTS = ['anna mueller', 'martin', 'smit', 'an', 'no one'];
const ROWS = 2_000;
const PAGE = 2_000;

/** Runs all workloads until the time is over. */
export async function runLoad(
  of: { database: BenchDatabase; team: Team; server: Server },
  until: number,
): Promise<Done> {
  const done: Done = { calls: {}, failures: new Map() };
  const workloads = await createWorkloads(of);
  const live = async ({ name, everyMs, act }: Workload) => {
    let client = openClient(of.server.port);
    for (let nth = 0; performance.now() < until; nth += 1) {
      const next = performance.now() + everyMs;
      try {
        await act(client, nth);
        done.calls[name] = (done.calls[name] ?? 0) + 1;
      } catch (error) {
        const what = `${name}: ${(error as Error).message}`;
        done.failures.set(what, (done.failures.get(what) ?? 0) + 1);
        client.close();
        client = openClient(of.server.port);
      }
      await pause(Math.max(0, next - performance.now()));
    }
    client.close();
  };
  await Promise.all(workloads.map(live));
  return done;
}

async function ok(client: Client, call: Call): Promise<Record<string, unknown>> {
  const { status, body } = await client.send(call);
  if (status !== 200) throw new Error(`${call.method ?? 'GET'} ${call.path.split('?')[0]} answered ${status}`);
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

async function createWorkloads(of: { database: BenchDatabase; team: Team; server: Server }): Promise<Workload[]> {
  const { database, team, server } = of;
  const cookie = await signIn(server, team);
  const { rows: people } = await database.pool.query<{ id: string; email: string }>(
    `select p.id, p.email from memberships m join people p on p.id = m.person_id
     where m.team_id = $1 and p.type = 2 and not m.deactivated and m.roles = '{team_user}' order by p.id limit 100`,
    [team.id],
  );
  const users = `/api/v4/admin/teams/${team.id}/users`;
  const get = (name: string, everyMs: number, path: (nth: number) => string): Workload => ({
    name,
    everyMs,
    act: (client, nth) => ok(client, { path: path(nth), cookie }),
  });
  const post = (path: string, body: object, more: Partial<Call> = {}): Call => ({
    path,
    method: 'POST',
    body,
    ...more,
  });
  const desk = await createHelpdesk(database);
  return [
    get('list', 40, () => users),
    get('search', 60, (nth) => `${users}?search=${encodeURIComponent(TEXTS[nth % TEXTS.length] ?? '')}`),
    get('me', 50, () => '/api/v4/users/me'),
    get(
      'entries',
      60,
      (nth) => `/api/v4/teams/${team.id}/compdir?search=${encodeURIComponent(TEXTS[nth % TEXTS.length] ?? '')}`,
    ),
    {
      name: 'status',
      everyMs: 60,
      act: (client) =>
        ok(
          client,
          post(
            '/api/v4/users/status/ids',
            people.map(({ id }) => id),
            { cookie },
          ),
        ),
    },
    {
      name: 'save',
      everyMs: 100,
      act: (client, nth) => {
        // Alternates between member and admin, so that each save is a change with an audit entry.
        const body = {
          email: people[nth % people.length]?.email,
          account_type: 1 + (Math.floor(nth / people.length) % 2),
        };
        return ok(client, post(users, body, { cookie, headers: { 'Idempotency-Key': `soak-${nth}` } }));
      },
    },
    { name: 'sign in and out', everyMs: 1_000, act: (client) => signInAndOut(client, team) },
    { name: 'export', everyMs: 5_000, act: (client) => exportAll(client, users, cookie) },
    { name: 'upload and undo', everyMs: 10_000, act: async (client) => uploadAndUndo(client, of, cookie) },
    { name: 'delivery', everyMs: 200, act: (client, nth) => deliver(client, desk, nth) },
  ];
}

async function signInAndOut(client: Client, { owner }: Team): Promise<void> {
  const body = { login_id: owner.email, password: owner.password };
  const { status, cookies } = await client.send({ path: '/api/v4/users/login', method: 'POST', body });
  if (status !== 200) throw new Error(`sign-in answered ${status}`);
  await ok(client, { path: '/api/v4/users/cookie_login', cookie: cookies });
  await ok(client, { path: '/api/v4/users/logout', method: 'POST', body: {}, cookie: cookies });
}

async function exportAll(client: Client, users: string, cookie: string): Promise<void> {
  let key: string | null = '';
  while (key !== null) {
    const after: string = key === '' ? '' : `&last_key=${encodeURIComponent(key)}`;
    ({ last_key: key } = (await ok(client, { path: `${users}?limit=${PAGE}${after}`, cookie })) as {
      last_key: string | null;
    });
  }
}

/** Uploads as the portal does, then undoes it, so that the directory keeps its size. */
async function uploadAndUndo(client: Client, of: { server: Server; team: Team }, cookie: string): Promise<void> {
  const rows = await newRows(of.team, ROWS);
  await upload({ ...of, cookie }, { rows, perCall: ROWS / 2 });
  const imports = `/api/v4/teams/${of.team.id}/compdir/imports`;
  const { records } = (await ok(client, { path: imports, cookie })) as { records: { id: string }[] };
  await ok(client, { path: `${imports}/${records[0]?.id}/undo`, method: 'POST', body: {}, cookie });
}

async function createHelpdesk(database: BenchDatabase): Promise<TestHelpdesk> {
  const node = { db: database.db, deps: { secrets: createSecrets(database.secretKey) } };
  const { id } = await getTeam(database, { people: 0, entries: 0 }, () => undefined);
  return recreateHelpdesk(node, id, { channels: [await findGeneralChannel(node, id)] });
}

async function deliver(client: Client, desk: TestHelpdesk, nth: number): Promise<void> {
  const body = { text: `Ticket ${nth}` };
  const { headers } = delivery(desk, { body: JSON.stringify(body), headers: { 'content-type': undefined } });
  await ok(client, { path: desk.path, method: 'POST', headers, body });
}
